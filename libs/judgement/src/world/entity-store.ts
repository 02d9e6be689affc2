import type { Cell } from './cell';
import { aspectOf, cell, membersOf, someOf } from './cell';
import type { Entity } from './entity';
import { keyOf } from './entity';
import { indexByKey, RelationIndex, TallyIndex } from './index-of';
import type { Relation, Tally } from './relation';
import { NORTHBOUND } from './stream-name';

/**
 * Entities by kind, and relations and tallies in step with them. Keeps which cells moved, so that
 * what was judged by them can be judged again.
 */
export class EntityStore {
  readonly #kinds = new Map<string, Map<string, Entity>>();
  readonly #byKey = new Map<string, RelationIndex>();
  readonly #indexesOf = new Map<string, readonly (RelationIndex | TallyIndex)[]>();
  readonly #relations: ReadonlyMap<string, RelationIndex>;
  readonly #tallies: ReadonlyMap<string, TallyIndex>;
  readonly #followed: boolean;
  /** Cells moved since the last `takeTouched`. */
  #touched = new Set<Cell>();

  /** @param followed as the World's. */
  constructor(relations: readonly Relation[], tallies: readonly Tally[], followed: boolean) {
    this.#relations = new Map(relations.map((it) => [it.id, new RelationIndex(it)]));
    this.#tallies = new Map(tallies.map((it) => [it.id, new TallyIndex(it)]));
    this.#followed = followed;
  }

  /** The cells that moved since this was last called. */
  takeTouched(): ReadonlySet<Cell> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Records that a cell moved which no entity moves. */
  touch(moved: Cell): void {
    this.#touched.add(moved);
  }

  entities(kind: string): Iterable<Entity> {
    return this.#kinds.get(kind)?.values() ?? [];
  }

  kinds(): Iterable<string> {
    return this.#kinds.keys();
  }

  count(kind: string): number {
    return this.#kinds.get(kind)?.size ?? 0;
  }

  entity(kind: string, uid: string): Entity | undefined {
    return this.#kinds.get(kind)?.get(uid);
  }

  hasKey(kind: string, key: string): boolean {
    return this.#byKey.get(kind)?.has(key) ?? false;
  }

  byKey(kind: string, key: string): readonly Entity[] {
    return this.#byKey.get(kind)?.find(key) ?? [];
  }

  related(relation: string, key: string, limit?: number): readonly Entity[] {
    return this.#relation(relation).find(key, limit);
  }

  hasRelated(relation: string, key: string): boolean {
    return this.#relation(relation).has(key);
  }

  tallied(tally: string, key: string): unknown {
    const index = this.#tallies.get(tally);
    if (!index) throw new Error(`tally ${tally} is not in the registry`);
    return index.find(key);
  }

  #relation(id: string): RelationIndex {
    const index = this.#relations.get(id);
    if (!index) throw new Error(`relation ${id} is not in the registry`);
    return index;
  }

  /** Takes the one from where it is found and puts the other where it is to be found. */
  replace(before: Entity | undefined, after: Entity | undefined): void {
    const { kind, uid } = (after ?? before)!;
    this.#hold(kind, uid, after);
    if (this.#followed)
      this.#touch(cell.uid(uid), !before || !after || keyOf(before) !== keyOf(after));
    for (const index of this.#indexes((after ?? before)!)) this.#rekey(index, before, after);
  }

  #hold(kind: string, uid: string, entity: Entity | undefined): void {
    let ofKind = this.#kinds.get(kind);
    if (!ofKind) this.#kinds.set(kind, (ofKind = new Map()));
    const wasEmpty = ofKind.size === 0;
    if (entity) ofKind.set(uid, entity);
    else ofKind.delete(uid);
    // Whether we hold any decides what it means that a kind is not served (see `knows`).
    if (wasEmpty !== (ofKind.size === 0)) this.#touched.add(cell.known(kind));
  }

  /**
   * Every key of either is a cell that moved; who is there moved where only one of them has the
   * key.
   */
  #rekey(
    index: RelationIndex | TallyIndex,
    before: Entity | undefined,
    after: Entity | undefined,
  ): void {
    const from = before ? index.keysOf(before) : NO_KEYS;
    const to = after ? index.keysOf(after) : NO_KEYS;
    if (from.length === 0 && to.length === 0) return;
    if (!this.#followed) {
      for (const key of from) index.remove(before!, key);
      for (const key of to) index.add(after!, key);
      return;
    }
    if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
      this.#alter(index, before!, after!, from[0]!);
      return;
    }
    const old = among(from);
    const now = among(to);
    const verdicts = verdictsOf(index, from, to);
    for (const key of from) {
      const isLast = index.remove(before!, key);
      this.#touch(index.cellOf(key), !now(key), isLast);
    }
    for (const key of to) {
      const isFirst = index.add(after!, key);
      this.#touch(index.cellOf(key), !old(key), isFirst);
    }
    for (const [key, verdict] of verdicts)
      if (index instanceof TallyIndex && index.verdictOf(key) !== verdict)
        this.#touched.add(someOf(index.cellOf(key)));
    if (index instanceof RelationIndex && index.relation.same) {
      const same = before && after && index.relation.same(before, after);
      for (const key of from)
        if (!same || !now(key)) this.#touched.add(aspectOf(index.cellOf(key)));
      for (const key of to) if (!same || !old(key)) this.#touched.add(aspectOf(index.cellOf(key)));
    }
  }

  /** As most changes are: it stays where it was found, and says something else. */
  #alter(index: RelationIndex | TallyIndex, before: Entity, after: Entity, key: string): void {
    const verdict = index instanceof TallyIndex ? index.verdictOf(key) : '';
    index.remove(before, key);
    index.add(after, key);
    const touched = index.cellOf(key);
    this.#touched.add(touched);
    if (index instanceof RelationIndex) {
      if (index.relation.same?.(before, after) === false) this.#touched.add(aspectOf(touched));
    } else if (index.verdictOf(key) !== verdict) this.#touched.add(someOf(touched));
  }

  /** @param some whether the first came or the last went, where anybody did. */
  #touch(moved: Cell, members: boolean, some = false): void {
    this.#touched.add(moved);
    if (!members) return;
    this.#touched.add(membersOf(moved));
    if (some) this.#touched.add(someOf(moved));
  }

  #indexes({ kind, stream }: Entity): readonly (RelationIndex | TallyIndex)[] {
    let indexes = this.#indexesOf.get(kind);
    if (!indexes) {
      const byKey = indexByKey(kind);
      const covers = (kinds: readonly string[] | 'ovn-nb') =>
        kinds === NORTHBOUND ? stream === NORTHBOUND : kinds.includes(kind);
      indexes = [
        byKey,
        ...[...this.#relations.values()].filter((it) => covers(it.relation.kinds)),
        ...[...this.#tallies.values()].filter((it) => covers(it.tally.kinds)),
      ];
      this.#byKey.set(kind, byKey);
      this.#indexesOf.set(kind, indexes);
    }
    return indexes;
  }
}

const NO_KEYS: readonly string[] = Object.freeze([]);

const NO_VERDICTS: ReadonlyMap<string, string> = new Map();

/** What the figures come to before they move, of the few tallies that say so. */
const verdictsOf = (
  index: RelationIndex | TallyIndex,
  from: readonly string[],
  to: readonly string[],
): ReadonlyMap<string, string> =>
  index instanceof TallyIndex && index.tally.verdict
    ? new Map([...from, ...to].map((key) => [key, index.verdictOf(key)]))
    : NO_VERDICTS;

/**
 * Up to this many keys a linear search is faster than making a set; most entities have one in an
 * index, or none.
 */
const FEW = 8;

function among(keys: readonly string[]): (key: string) => boolean {
  if (keys.length <= FEW) return (key) => keys.includes(key);
  const all = new Set(keys);
  return (key) => all.has(key);
}
