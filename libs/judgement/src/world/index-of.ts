import type { Cell } from './cell';
import { cell } from './cell';
import type { Entity } from './entity';
import { keyOf } from './entity';
import type { Relation, Tally } from './relation';

const NONE: readonly Entity[] = Object.freeze([]);

/** Each key once. Most entities have one, or none. */
const distinct = (keys: readonly string[]): readonly string[] =>
  keys.length < 2 ? keys : [...new Set(keys)];

/**
 * The entities of one relation by key, or how many they are where it is counted. Most keys hold one
 * entity, so a lone one is stored bare.
 */
export class RelationIndex {
  readonly #byKey = new Map<string, Entity | Set<Entity> | number>();

  /** @param cellOf the cell of a key; the relation's own by default. */
  constructor(
    readonly relation: Relation,
    readonly cellOf = (key: string): Cell => cell.relation(relation.id, key),
  ) {}

  keysOf(entity: Entity): readonly string[] {
    return distinct(this.relation.keys(entity));
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** In no particular order; at most `limit` of them, for groups that may be huge. */
  find(key: string, limit = Infinity): readonly Entity[] {
    if (this.relation.counted)
      throw new Error(
        `relation ${this.relation.id} is counted: only whether there are any is known`,
      );
    const found = this.#byKey.get(key);
    if (found === undefined || typeof found === 'number') return NONE;
    if (!(found instanceof Set)) return [found];
    if (limit >= found.size) return [...found];
    const some: Entity[] = [];
    for (const entity of found) if (some.push(entity) >= limit) break;
    return some;
  }

  /** @returns whether it is the first under the key. */
  add(entity: Entity, key: string): boolean {
    const found = this.#byKey.get(key);
    if (this.relation.counted) this.#byKey.set(key, Number(found ?? 0) + 1);
    else if (found === undefined || typeof found === 'number') this.#byKey.set(key, entity);
    else if (found instanceof Set) found.add(entity);
    else this.#byKey.set(key, new Set([found, entity]));
    return found === undefined;
  }

  /** @returns whether none is left under the key. */
  remove(entity: Entity, key: string): boolean {
    const found = this.#byKey.get(key);
    if (found === entity || found === 1) return this.#byKey.delete(key);
    if (typeof found === 'number') this.#byKey.set(key, found - 1);
    else if (found instanceof Set) {
      found.delete(entity);
      if (found.size === 1) for (const last of found) this.#byKey.set(key, last);
    }
    return found === undefined;
  }
}

/** The entities of one kind by `namespace/name`, or the bare name. */
export const indexByKey = (kind: string): RelationIndex =>
  new RelationIndex(
    { id: `key of ${kind}`, kinds: [kind], keys: (entity) => [keyOf(entity)] },
    (key) => cell.key(kind, key),
  );

/**
 * The running figures of one tally by key; a figure nobody contributes to any more is forgotten.
 */
export class TallyIndex {
  readonly #byKey = new Map<string, { figure: unknown; contributors: number }>();

  constructor(readonly tally: Tally) {}

  keysOf(entity: Entity): readonly string[] {
    return distinct(this.tally.keys(entity));
  }

  cellOf(key: string): Cell {
    return cell.tally(this.tally.id, key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  find(key: string): unknown {
    return this.#byKey.get(key)?.figure;
  }

  /** What the figure comes to; empty where nobody contributes or the tally says no such thing. */
  verdictOf(key: string): string {
    const slot = this.#byKey.get(key);
    return (slot && this.tally.verdict?.(slot.figure)) ?? '';
  }

  /** @returns whether it is the first that contributes. */
  add(entity: Entity, key: string): boolean {
    let slot = this.#byKey.get(key);
    if (!slot) this.#byKey.set(key, (slot = { figure: this.tally.start(), contributors: 0 }));
    this.tally.add(slot.figure, entity as never, key);
    slot.contributors += 1;
    return slot.contributors === 1;
  }

  /** @returns whether nobody contributes any more. */
  remove(entity: Entity, key: string): boolean {
    const slot = this.#byKey.get(key);
    if (!slot) return true;
    this.tally.remove(slot.figure, entity as never, key);
    slot.contributors -= 1;
    return slot.contributors === 0 && this.#byKey.delete(key);
  }
}
