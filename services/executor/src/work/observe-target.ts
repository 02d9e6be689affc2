import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { Failure } from '@ovn-steward/shared/errors';
import { getIfInstalled } from '@ovn-steward/systems/kubernetes/get-if-installed';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { entryIn } from '../action-kit/entry-in';
import type { Systems } from '@ovn-steward/systems/systems';

/**
 * `there`: this incarnation, with the part that is meant. `terminating`: being deleted, and waits
 * for its finalizers. `gone`: neither; a namesake does not count.
 */
export type TargetState = 'there' | 'terminating' | 'gone';

/**
 * The state of the very thing a reference names, read from the live system.
 * @throws Failure when it cannot be known.
 */
export const observeTarget = (
  target: Reference,
  systems: Systems,
  signal: AbortSignal,
): Promise<TargetState> =>
  target.source === 'kubernetes'
    ? observeObject(target, systems, signal)
    : observeRow(target, systems, signal);

async function observeRow(
  { kind, uid, part }: Reference,
  { northbound }: Systems,
  signal: AbortSignal,
): Promise<TargetState> {
  const columns = part === undefined ? ['_uuid'] : ['_uuid', part.column];
  const [[row] = []] = await selectRows(
    northbound,
    [{ op: 'select', table: kind, where: [['_uuid', '==', ['uuid', uid]]], columns }],
    signal,
  );
  if (row === undefined) return 'gone';
  return part === undefined || entryIn(row[part.column], part.key) !== undefined ? 'there' : 'gone';
}

async function observeObject(
  { kind, namespace, name, uid, part }: Reference,
  { kubernetes }: Systems,
  signal: AbortSignal,
): Promise<TargetState> {
  const found = await getIfInstalled(kind, namespace, name, kubernetes, signal);
  if (found === undefined || found.metadata.uid !== uid) return 'gone';
  if (part !== undefined) return hasPart(found, part) ? 'there' : 'gone';
  return found.metadata.deletionTimestamp === undefined ? 'there' : 'terminating';
}

/** Parts of objects are annotations by their key and finalizers by their name. */
function hasPart(
  { metadata }: KubernetesObject,
  { column, key }: NonNullable<Reference['part']>,
): boolean {
  if (column === 'metadata.finalizers') return metadata.finalizers?.includes(key) === true;
  if (column === 'metadata.annotations')
    return Object.hasOwn((metadata['annotations'] ?? {}) as object, key);
  throw new Failure('object-malformed', `${column} is no part of an object this version knows.`);
}
