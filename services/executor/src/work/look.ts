import type { Reference } from '@ovn-steward/shared/events/reference';
import { Failure } from '@ovn-steward/shared/errors';
import { getIfInstalled } from '../kubernetes/get-if-installed';
import type { KubernetesObject } from '../kubernetes/kubernetes';
import type { Systems } from '../systems';

/** `there`: this incarnation, with the part that is meant. `terminating`: told to go, and waits for its finalizers. `gone`: neither; a namesake does not count. */
export type Seen = 'there' | 'terminating' | 'gone';

/** What became of the very thing a reference names, asked of the live system. @throws Failure when it cannot be known. */
export const look = (target: Reference, systems: Systems, signal: AbortSignal): Promise<Seen> =>
  target.source === 'kubernetes' ? lookAtObject(target, systems, signal) : lookAtRow(target, systems, signal);

async function lookAtRow({ kind, uid, part }: Reference, { northbound }: Systems, signal: AbortSignal): Promise<Seen> {
  const columns = part === undefined ? ['_uuid'] : ['_uuid', part.column];
  const read = await northbound.read([{ op: 'select', table: kind, where: [['_uuid', '==', ['uuid', uid]]], columns }], signal);
  const [result] = read.is === 'committed' ? read.results : [];
  if (result?.kind !== 'selected') throw new Failure('source-broken', `${northbound.where} did not say whether row ${uid} of ${kind} is there.`);
  const [row] = result.rows;
  if (row === undefined) return 'gone';
  return part === undefined || keysIn(row[part.column]).includes(part.key) ? 'there' : 'gone';
}

/** The keys of a map, or the elements of a set, in the forms of RFC 7047 section 5.1: `["map", [[k, v]]]`, `["set", [e]]`, one bare element. */
function keysIn(value: unknown): readonly string[] {
  const atom = (it: unknown): string => (Array.isArray(it) && it[0] === 'uuid' ? String(it[1]) : String(it));
  if (Array.isArray(value) && value[0] === 'map') return (value[1] as [unknown, unknown][]).map(([key]) => atom(key));
  if (Array.isArray(value) && value[0] === 'set') return (value[1] as unknown[]).map(atom);
  return [atom(value)];
}

async function lookAtObject({ kind, namespace, name, uid, part }: Reference, { kubernetes }: Systems, signal: AbortSignal): Promise<Seen> {
  const found = await getIfInstalled(kind, namespace, name, kubernetes, signal);
  if (found === undefined || found.metadata.uid !== uid) return 'gone';
  if (part !== undefined) return hasPart(found, part) ? 'there' : 'gone';
  return found.metadata.deletionTimestamp === undefined ? 'there' : 'terminating';
}

/** Parts of objects are annotations by their key and finalizers by their name. */
function hasPart({ metadata }: KubernetesObject, { column, key }: NonNullable<Reference['part']>): boolean {
  if (column === 'metadata.finalizers') return metadata.finalizers?.includes(key) === true;
  if (column === 'metadata.annotations') return Object.hasOwn((metadata['annotations'] ?? {}) as object, key);
  throw new Failure('object-malformed', `${column} is no part of an object this version knows.`);
}
