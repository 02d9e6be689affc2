import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Instant, Row } from './instant';

/** A map of OVSDB, in its JSON, as an object. */
export const pairs = (json: unknown): Record<string, string> =>
  Object.fromEntries(
    ((json as [string, [string, string][]] | undefined)?.[1] ?? []) as [string, string][],
  );
export const idsOf = (row: Row): Record<string, string> => pairs(row['external_ids']);
export const refers = (json: unknown, uuid: string): boolean =>
  JSON.stringify(json).includes(`["uuid","${uuid}"]`);
export const objectOf = (
  { kubernetes }: Instant,
  kind: string,
  namespace: string | undefined,
  name: string,
): KubernetesObject | undefined =>
  kubernetes
    .objects(kind)
    .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);
/** That it is there, in words; undefined when it is not. */
export const there = (
  instant: Instant,
  kind: string,
  namespace: string | undefined,
  name: string,
): string | undefined =>
  objectOf(instant, kind, namespace, name) &&
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} is there`;
