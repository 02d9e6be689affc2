import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import { isRecord } from './is-record';
import type { KubernetesObject } from './kubernetes';

/**
 * Names, on an object that was created again, the action that had deleted it: a reader after a
 * crash then knows it for ours.
 */
export const PUT_BACK = 'ovn-steward.dev/put-back';

/** Of an object's metadata, what others than the server wrote. */
export const KEPT_METADATA = [
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
];

/**
 * The object as it would be created again: without what the server writes (uid, resourceVersion,
 * times, generation, managedFields) and without the status, which a controller writes. Nor with our
 * own marks. Kube-OVN keeps the addresses of IP, Vip, OvnEip and IptablesEIP in the spec
 * (kube-ovn.md §1).
 */
export function manifestOf(
  kind: string,
  { status: _status, metadata, ...object }: KubernetesObject,
): Readonly<Record<string, unknown>> {
  const entry = kubernetesKind(kind);
  const kept = Object.fromEntries(
    KEPT_METADATA.flatMap((field) =>
      metadata[field] === undefined
        ? []
        : [[field, field === 'annotations' ? unmarked(metadata[field]) : metadata[field]]],
    ),
  );
  if (isRecord(kept['annotations']) && Object.keys(kept['annotations']).length === 0)
    delete kept['annotations'];
  return { ...(entry && { apiVersion: apiVersionOf(entry) }), kind, ...object, metadata: kept };
}

const unmarked = (annotations: unknown): unknown =>
  isRecord(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).filter(([key]) => key !== PUT_BACK && key !== CALLED_OFF),
      )
    : annotations;
