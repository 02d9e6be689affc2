import { crdNameOf, kubernetesKind } from '@ovn-steward/shared/kinds';

/**
 * Anything a rule can read of the world, as a number: a change names the cells it moved, a reader
 * the cells it read. The number is a hash, so that millions of them need no text in memory; where
 * two cells share one, a reader is re-checked once too often, never too seldom.
 */
export type Cell = number;

export const cell = {
  /** Which entity has this key, and what it says. */
  key: (kind: string, key: string): Cell => hashed(0x6b, kind, key),
  /** Which entities have this key, whatever they say. */
  presence: (kind: string, key: string): Cell => membersOf(cell.key(kind, key)),
  /** The entity with this uid, whatever its kind, and what it says. */
  uid: (uid: string): Cell => hashed(0x75, '', uid),
  /** What the entity with this uid is called, whatever it says. */
  identity: (uid: string): Cell => membersOf(cell.uid(uid)),
  /** Which entities are found under this key, and what they say. */
  relation: (id: string, key: string): Cell => hashed(0x72, id, key),
  /** Whether any entity is found under this key. */
  some: (id: string, key: string): Cell => someOf(cell.relation(id, key)),
  /** Which entities are found under this key, and what of them the relation's `same` compares. */
  aspect: (id: string, key: string): Cell => aspectOf(cell.relation(id, key)),
  tally: (id: string, key: string): Cell => hashed(0x74, id, key),
  /** How completely the kind is known. */
  known: (kind: string): Cell => hashed(0x63, kind, ''),
};

/**
 * The cell of which members there are, beside that of what they say: it moves when one is added or
 * removed, not when one changes.
 */
export const membersOf = (cell: Cell): Cell => cell ^ 0x5bd1e995;

/**
 * The cell of whether anybody is there: it moves when the first comes and the last goes, however
 * many are there between.
 */
export const someOf = (cell: Cell): Cell => cell ^ 0x1e3779b9;

/**
 * The cell of what a relation's `same` compares: it moves with those who come, go or differ in
 * that.
 */
export const aspectOf = (cell: Cell): Cell => cell ^ 0x2545f491;

/** FNV-1a over the UTF-16 units, 32 bits. */
function hashed(sort: number, name: string, key: string): Cell {
  let hash = 0x811c9dc5 ^ sort;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ 0x20, 0x01000193);
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** The cells that decide whether absence in a kind is knowledge. */
export function cellsOfKnowing(kind: string): readonly Cell[] {
  // What is remembered of address records is known when those are.
  if (kind === 'Former_Address') return cellsOfKnowing('IP');
  const known = kubernetesKind(kind);
  const crd = known && crdNameOf(known);
  return crd
    ? [
        cell.known(kind),
        cell.known('CustomResourceDefinition'),
        cell.presence('CustomResourceDefinition', crd),
      ]
    : [cell.known(kind)];
}
