import type { Change, Put } from '@ovn-steward/contracts/changes/change';
import { crdNameOf, kubernetesKind, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Cell } from './cell';
import { aspectOf, cell, membersOf, someOf } from './cell';
import type { Entity } from './entity';
import { keyOf } from './entity';
import { MEMORY } from './former-row';
import { indexByKey, RelationIndex, TallyIndex } from './index-of';
import { readApart } from './read-apart';
import type { Relation, Tally } from './relation';
import { SOUTHBOUND, SOUTHBOUND_KINDS } from './southbound-kinds';
import type { Completeness, StreamState } from './streams';
import { FoldedStream } from './streams';
import type { WorldInput } from './world-input';

const LISTING: Completeness = { state: 'listing' };
const NORTHBOUND = 'ovn-nb';

/** Something the fold did to an entity, for callers that keep units per subject. */
export interface MovedEntity {
  readonly before?: Entity;
  readonly after?: Entity;
}

/**
 * The world as the changes describe it: entities by kind, relations and tallies in step with them,
 * and how complete and how fresh each stream is. Folding is idempotent: an older or repeated change
 * moves nothing.
 */
export class World {
  readonly #kinds = new Map<string, Map<string, Entity>>();
  readonly #byKey = new Map<string, RelationIndex>();
  readonly #streams = new Map<string, FoldedStream>();
  readonly #indexesOf = new Map<string, readonly (RelationIndex | TallyIndex)[]>();
  readonly #relations: ReadonlyMap<string, RelationIndex>;
  readonly #tallies: ReadonlyMap<string, TallyIndex>;
  /** Cells moved since the last `takeMoved`. */
  #touched = new Set<Cell>();

  /**
   * @param recorded whether the input is recordings, each of one moment, instead of living systems
   * that are followed.
   * @param followed whether changes come after the first judgement. Otherwise no cell is kept but
   * those of how completely a kind is known.
   */
  constructor(
    relations: readonly Relation[],
    tallies: readonly Tally[],
    readonly recorded = false,
    readonly followed = true,
  ) {
    this.#relations = new Map(relations.map((it) => [it.id, new RelationIndex(it)]));
    const kept = tallies.filter((it) => recorded || !it.ofRecordings);
    this.#tallies = new Map(kept.map((it) => [it.id, new TallyIndex(it)]));
  }

  /** Folds one input. Returns what it did to an entity, or nothing when it moved none. */
  fold(
    input: WorldInput,
    options: { checked: boolean } = { checked: true },
  ): MovedEntity | undefined {
    const change = input.type === 'replayed' ? input.change : input;
    const stream = this.#stream(change);
    const { completeness, kinds } = stream.state;
    const moved =
      change.type === 'unreadable'
        ? stream.miss(change)
        : this.#change(stream, change, input.type === 'replayed' && !options.checked, options);
    if (stream.state.completeness !== completeness) {
      for (const kind of new Set([...kinds, ...stream.state.kinds]))
        this.#touched.add(cell.known(kind));
      // What is remembered of a database is known when that is.
      if (change.stream === NORTHBOUND) this.#touched.add(cell.known('Former_Row'));
    }
    return moved ?? undefined;
  }

  /** Puts back what a checkpoint held of the streams, before their entities. */
  restoreStreams(streams: Iterable<StreamState>): void {
    for (const state of streams) {
      const stream = new FoldedStream(state);
      this.#streams.set(state.stream, stream);
      for (const hash of stream.countedHashes()) stream.digest.add(hash);
    }
  }

  /** Puts back what a checkpoint held, some at a time. */
  restoreEntities(entities: Iterable<Entity>): void {
    for (const entity of entities) {
      const stream = this.#streams.get(entity.stream);
      if (!stream && entity.stream !== MEMORY) continue;
      if (stream?.countedHash(entity) === undefined) stream?.digest.add(entity.hash);
      this.#replace(undefined, entity);
    }
    this.#touched = new Set();
  }

  /** Holds what is remembered and no source reports; without `after`, forgets it. */
  keep(before: Entity | undefined, after: Entity | undefined): void {
    if (before || after) this.#replace(before, after);
  }

  takeTouched(): ReadonlySet<Cell> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
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

  streams(): Iterable<StreamState> {
    return [...this.#streams.values()].map((it) => it.state);
  }

  stream(name: string): StreamState | undefined {
    return this.#streams.get(name)?.state;
  }

  streamOf(kind: string): StreamState | undefined {
    return this.#streams.get(streamNameOf(kind))?.state;
  }

  completeness(kind: string): Completeness {
    return this.streamOf(kind)?.completeness ?? LISTING;
  }

  /**
   * Whether absence in the kind is knowledge. A kind whose API is not served has no objects only when the complete list
   * of CustomResourceDefinitions shows that it is not installed, and we never held one: a definition that vanished under
   * living objects is an accident, not an answer.
   */
  knows(kind: string): boolean {
    if (kind === 'Former_Address') return this.knows('IP');
    const completeness = this.completeness(kind);
    if (completeness.state === 'complete') return true;
    return this.notInstalled(kind) && this.count(kind) === 0;
  }

  notInstalled(kind: string): boolean {
    const completeness = this.completeness(kind);
    if (completeness.state !== 'unavailable' || completeness.reason !== 'not-served') return false;
    const known = kubernetesKind(kind);
    const crd = known && crdNameOf(known);
    return (
      crd !== undefined &&
      this.completeness('CustomResourceDefinition').state === 'complete' &&
      !this.hasKey('CustomResourceDefinition', crd)
    );
  }

  /** Why what was recorded of a database (the Northbound where none is named) and of Kubernetes is not of one moment, in one sentence. Living systems are each as they are now. */
  apart(database?: string): string | undefined {
    return this.recorded ? readApart(this.streams(), database) : undefined;
  }

  #relation(id: string): RelationIndex {
    const index = this.#relations.get(id);
    if (!index) throw new Error(`relation ${id} is not in the registry`);
    return index;
  }

  #stream(change: Pick<Change, 'stream' | 'source'>): FoldedStream {
    let stream = this.#streams.get(change.stream);
    if (!stream) this.#streams.set(change.stream, (stream = FoldedStream.start(change)));
    return stream;
  }

  /** @param alone a replayed change in an old log, where compaction may have taken the record that it repeats: what is not held is taken from it. */
  #change(
    stream: FoldedStream,
    change: Change,
    alone: boolean,
    options: { checked: boolean },
  ): MovedEntity | undefined {
    const known =
      stream.fillsGap(change) ||
      (alone && 'uid' in change && !this.entity(change.kind, change.uid));
    if (!stream.advance(change) && !known) return undefined;
    if (!('uid' in change)) {
      stream.hear(change, options.checked);
      return undefined;
    }
    stream.observed(change.observedAt);
    const before = this.entity(change.kind, change.uid);
    this.#count(
      stream,
      stream.countedHash(change) ?? before?.hash,
      change.type === 'delete' ? undefined : change.hash,
    );
    if (change.type === 'omitted') {
      stream.omit(change);
      return undefined;
    }
    stream.fill(change);
    return change.type === 'put' ? this.#put(before, change) : this.#delete(before);
  }

  #count(stream: FoldedStream, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    if (before !== undefined) stream.digest.remove(before);
    if (after !== undefined) stream.digest.add(after);
  }

  #put(before: Entity | undefined, put: Put): MovedEntity | undefined {
    if (before?.hash === put.hash) return undefined;
    const after: Entity = {
      source: put.source,
      stream: put.stream,
      kind: put.kind,
      uid: put.uid,
      name: put.name,
      object: put.object as Entity['object'],
      hash: put.hash,
      ...(put.namespace === undefined ? {} : { namespace: put.namespace }),
    };
    this.#replace(before, after);
    return before ? { before, after } : { after };
  }

  #delete(before: Entity | undefined): MovedEntity | undefined {
    if (!before) return undefined;
    this.#replace(before, undefined);
    return { before };
  }

  /** Takes the one from where it is found and puts the other where it is to be found. */
  #replace(before: Entity | undefined, after: Entity | undefined): void {
    const { kind, uid } = (after ?? before)!;
    this.#hold(kind, uid, after);
    if (this.followed)
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

  /** Every key of either is a cell that moved; who is there moved where only one of them has the key. */
  #rekey(
    index: RelationIndex | TallyIndex,
    before: Entity | undefined,
    after: Entity | undefined,
  ): void {
    const from = before ? index.keysOf(before) : NO_KEYS;
    const to = after ? index.keysOf(after) : NO_KEYS;
    if (from.length === 0 && to.length === 0) return;
    if (!this.followed) {
      for (const key of from) index.remove(before!, key);
      for (const key of to) index.add(after!, key);
      return;
    }
    if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
      this.#alter(index, before!, after!, from[0]!);
      return;
    }
    const [old, now] = [among(from), among(to)];
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
  #touch(it: Cell, members: boolean, some = false): void {
    this.#touched.add(it);
    if (!members) return;
    this.#touched.add(membersOf(it));
    if (some) this.#touched.add(someOf(it));
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

/** The stream a kind travels in: its own for a Kubernetes kind, the database's for a Northbound table. */
export const streamNameOf = (kind: string): string => {
  if (kubernetesKind(kind)) return kubernetesStream(kind);
  if (kind === 'Former_Address') return kubernetesStream('IP');
  return SOUTHBOUND_KINDS.has(kind) ? SOUTHBOUND : NORTHBOUND;
};
