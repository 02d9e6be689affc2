import type { Change, Put } from '@ovn-steward/shared/events/change';
import { crdNameOf, kubernetesKind, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Cell } from './cell';
import { cell, membersOf } from './cell';
import type { Entity } from './entity';
import { keyOf } from './entity';
import { indexByKey, RelationIndex, TallyIndex } from './index-of';
import type { Relation, Tally } from './relation';
import type { Completeness, StreamState } from './streams';
import { Stream } from './streams';

const LISTING: Completeness = { state: 'listing' };
const NORTHBOUND = 'ovn-nb';

/** Something the fold did to an entity, for whoever keeps units per subject. */
export interface Moved {
  readonly before?: Entity;
  readonly after?: Entity;
}

/**
 * The world as the changes told it: entities by kind, relations and tallies in step with them, and how complete and how
 * fresh each stream is. Folding is idempotent: an older or repeated change moves nothing.
 */
export class World {
  readonly #kinds = new Map<string, Map<string, Entity>>();
  readonly #byKey = new Map<string, RelationIndex>();
  readonly #streams = new Map<string, Stream>();
  readonly #indexesOf = new Map<string, readonly (RelationIndex | TallyIndex)[]>();
  readonly #relations: ReadonlyMap<string, RelationIndex>;
  readonly #tallies: ReadonlyMap<string, TallyIndex>;
  /** Cells moved since the last `takeMoved`. */
  #touched = new Set<Cell>();

  constructor(relations: readonly Relation[], tallies: readonly Tally[]) {
    this.#relations = new Map(relations.map((it) => [it.id, new RelationIndex(it)]));
    this.#tallies = new Map(tallies.map((it) => [it.id, new TallyIndex(it)]));
  }

  /** Folds one change. Returns what it did to an entity, or nothing when it moved none. */
  fold(change: Change, options: { checked: boolean } = { checked: true }): Moved | undefined {
    const stream = this.#stream(change);
    if (!stream.advance(change)) return undefined;
    if (change.type === 'put' || change.type === 'delete') {
      stream.told(change.observedAt);
      return change.type === 'put' ? this.#put(stream, change) : this.#delete(stream, change.kind, change.uid);
    }
    const before = stream.state.completeness;
    const kinds = stream.state.kinds;
    stream.hear(change, options.checked);
    if (stream.state.completeness !== before) for (const kind of new Set([...kinds, ...stream.state.kinds])) this.#touched.add(cell.known(kind));
    return undefined;
  }

  /** Puts back what a checkpoint held. */
  restore(streams: Iterable<StreamState>, entities: Iterable<Entity>): void {
    for (const state of streams) this.#streams.set(state.stream, new Stream(state));
    for (const entity of entities) {
      const stream = this.#streams.get(entity.stream);
      if (!stream) continue;
      stream.digest.add(entity.hash);
      this.#replace(undefined, entity);
    }
    this.#touched = new Set();
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
    const completeness = this.completeness(kind);
    if (completeness.state === 'complete') return true;
    return this.notInstalled(kind) && this.count(kind) === 0;
  }

  notInstalled(kind: string): boolean {
    const completeness = this.completeness(kind);
    if (completeness.state !== 'unavailable' || completeness.reason !== 'not-served') return false;
    const known = kubernetesKind(kind);
    const crd = known && crdNameOf(known);
    return crd !== undefined && this.completeness('CustomResourceDefinition').state === 'complete' && !this.hasKey('CustomResourceDefinition', crd);
  }

  #relation(id: string): RelationIndex {
    const index = this.#relations.get(id);
    if (!index) throw new Error(`relation ${id} is not in the registry`);
    return index;
  }

  #stream(change: Change): Stream {
    let stream = this.#streams.get(change.stream);
    if (!stream) this.#streams.set(change.stream, (stream = Stream.start(change)));
    return stream;
  }

  #put(stream: Stream, put: Put): Moved | undefined {
    const before = this.entity(put.kind, put.uid);
    if (before?.hash === put.hash) return undefined;
    const after: Entity = {
      source: put.source, stream: put.stream, kind: put.kind, uid: put.uid, name: put.name, object: put.object as Entity['object'], hash: put.hash,
      ...(put.namespace === undefined ? {} : { namespace: put.namespace }),
    };
    if (before) stream.digest.remove(before.hash);
    stream.digest.add(after.hash);
    this.#replace(before, after);
    return before ? { before, after } : { after };
  }

  #delete(stream: Stream, kind: string, uid: string): Moved | undefined {
    const before = this.entity(kind, uid);
    if (!before) return undefined;
    stream.digest.remove(before.hash);
    this.#replace(before, undefined);
    return { before };
  }

  /** Takes the one from where it is found and puts the other where it is to be found. */
  #replace(before: Entity | undefined, after: Entity | undefined): void {
    const { kind, uid } = (after ?? before)!;
    this.#hold(kind, uid, after);
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
  #rekey(index: RelationIndex | TallyIndex, before: Entity | undefined, after: Entity | undefined): void {
    const from = before ? index.keysOf(before) : NO_KEYS;
    const to = after ? index.keysOf(after) : NO_KEYS;
    for (const key of from) index.remove(before!, key);
    for (const key of to) index.add(after!, key);
    const [old, now] = before && after ? [new Set(from), new Set(to)] : [NOBODY, NOBODY];
    for (const key of from) this.#touch(index.cellOf(key), !now.has(key));
    for (const key of to) this.#touch(index.cellOf(key), !old.has(key));
  }

  #touch(it: Cell, members: boolean): void {
    this.#touched.add(it);
    if (members) this.#touched.add(membersOf(it));
  }

  #indexes({ kind, stream }: Entity): readonly (RelationIndex | TallyIndex)[] {
    let indexes = this.#indexesOf.get(kind);
    if (!indexes) {
      const byKey = indexByKey(kind);
      const covers = (kinds: readonly string[] | 'ovn-nb') => (kinds === NORTHBOUND ? stream === NORTHBOUND : kinds.includes(kind));
      indexes = [byKey, ...[...this.#relations.values()].filter((it) => covers(it.relation.kinds)), ...[...this.#tallies.values()].filter((it) => covers(it.tally.kinds))];
      this.#byKey.set(kind, byKey);
      this.#indexesOf.set(kind, indexes);
    }
    return indexes;
  }
}

const NO_KEYS: readonly string[] = Object.freeze([]);
const NOBODY: ReadonlySet<string> = new Set();

/** The stream a kind travels in: its own for a Kubernetes kind, the database's for a Northbound table. */
export const streamNameOf = (kind: string): string => {
  if (kubernetesKind(kind)) return kubernetesStream(kind);
  return SOUTHBOUND_KINDS.has(kind) ? 'ovn-sb' : NORTHBOUND;
};

/** Southbound tables we follow; no Northbound table has one of these names. */
const SOUTHBOUND_KINDS = new Set(['Chassis', 'Chassis_Private', 'Port_Binding', 'Datapath_Binding']);
