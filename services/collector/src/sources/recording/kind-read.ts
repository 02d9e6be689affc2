import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Projected } from '@ovn-steward/systems/projections/project';
import type { ListHead } from './list-head';

/** What was read of one kind. */
export interface KindRead {
  count: number;
  readonly uids: Set<string>;
  readonly keys: Set<string>;
  /** The first thing that made the kind unreadable, as a sentence. */
  broken: string | undefined;
  /** The last list's head, when the kind has a file of its own. */
  list: ListHead | undefined;
}

export const newKindRead = (): KindRead => ({
  count: 0,
  uids: new Set(),
  keys: new Set(),
  broken: undefined,
  list: undefined,
});

/**
 * Records an object; false when the kind already has one of that uid or that name, so that one of
 * the two cannot be believed. Names are kept as well as uids because a rule finds an owner by name.
 */
export function addObject(read: KindRead, projected: Projected): boolean {
  const key = objectKey(projected.namespace, projected.name);
  read.count += 1;
  if (read.uids.has(projected.uid) || read.keys.has(key)) return false;
  read.uids.add(projected.uid);
  read.keys.add(key);
  return true;
}
