import { metadataWith } from './metadata';
import { flag, integer, list, record, type Shape, text } from './shape';

const endpoints = list(record({ conditions: record({ ready: flag }) }));

interface Endpoint {
  readonly conditions?: { readonly ready?: boolean };
}

/**
 * One endpoint that says nothing stands for all that take connections (kube-ovn
 * pkg/controller/endpoint_slice.go, endpointReady): they come and go too often to be published each
 * time.
 */
const anyReady: Shape = (value) =>
  (endpoints(value) as Endpoint[]).some((it) => it.conditions?.ready !== false) ? [{}] : undefined;

/**
 * Which ports of which Service are served, and whether by anybody. Annotations hold the time of the
 * last change.
 */
export const endpointSlice = record(
  {
    metadata: metadataWith({ annotations: () => undefined }),
    addressType: text,
    ports: list(record({ name: text, port: integer })),
    endpoints: anyReady,
  },
  ['metadata'],
);
