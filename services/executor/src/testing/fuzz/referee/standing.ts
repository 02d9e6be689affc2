import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Cluster } from '../cluster';
import { type Row, sameJson } from '../pictures';

/**
 * The very row, or one of that name, or one without a name that says the same to OVN, that was made
 * since.
 */
export function rowStands(
  { northbound: { database } }: Cluster,
  { kind, uid, part }: Reference,
  image: Row,
): boolean {
  const row = database.rows(kind).get(uid);
  if (row && part !== undefined)
    return JSON.stringify(row[part.column]).includes(JSON.stringify(part.key));
  const name = image['name'];
  const isDuplicate = (other: Row): boolean =>
    typeof name === 'string' && name !== ''
      ? other['name'] === name
      : Object.keys(image).every(
          (column) => column === 'external_ids' || sameJson(other[column], image[column]),
        );
  return row !== undefined || [...database.rows(kind).values()].some(isDuplicate);
}

/** Whether the thing is there, or the entry of it. */
export function standsAgain(cluster: Cluster, target: Reference): boolean {
  if (target.source === 'kubernetes') return objectStands(cluster, target);
  const row = cluster.northbound.database.rows(target.kind).get(target.uid);
  return target.part === undefined
    ? row !== undefined
    : JSON.stringify(row?.[target.part.column] ?? null).includes(JSON.stringify(target.part.key));
}

/** An object of that name that is not going, with the annotation, where it is about one. */
export function objectStands(
  { kubernetes }: Cluster,
  { kind, namespace, name, part }: Reference,
): boolean {
  return kubernetes
    .objects(kind)
    .some(
      (object) =>
        object.metadata.name === name &&
        object.metadata.namespace === namespace &&
        object.metadata.deletionTimestamp === undefined &&
        (part?.column !== 'metadata.annotations' ||
          Object.hasOwn((object.metadata['annotations'] ?? {}) as object, part.key)),
    );
}
