import type { Change, Put } from '@ovn-steward/contracts/changes/change';
import { crdNameOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Cell } from './cell';
import { cell } from './cell';
import type { Entity } from './entity';
import { EntityStore } from './entity-store';
import { MEMORY } from './former-row';
import { readApart } from './read-apart';
import type { Relation, Tally } from './relation';
import { SHARED } from './shared-values';
import { NORTHBOUND, streamNameOf } from './stream-name';
import type { Completeness, StreamState } from './streams';
import { FoldedStream } from './streams';
import type { WorldInput } from './world-input';

const LISTING: Completeness = { state: 'listing' };

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
  readonly #entities: EntityStore;
  readonly #streams = new Map<string, FoldedStream>();

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
    const kept = tallies.filter((it) => recorded || !it.ofRecordings);
    this.#entities = new EntityStore(relations, kept, followed);
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
    // A stream that broke before it named its kinds is broken for each of them from then on.
    if (stream.state.completeness !== completeness || stream.state.kinds.length !== kinds.length) {
      for (const kind of new Set([...kinds, ...stream.state.kinds]))
        this.#entities.touch(cell.known(kind));
      // What is remembered of a database is known when that is.
      if (change.stream === NORTHBOUND) this.#entities.touch(cell.known('Former_Row'));
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
      this.#entities.replace(undefined, SHARED.in(entity));
    }
    this.#entities.takeTouched();
  }

  /** Holds what is remembered and no source reports; without `after`, forgets it. */
  keep(before: Entity | undefined, after: Entity | undefined): void {
    if (before || after) this.#entities.replace(before, after);
  }

  takeTouched(): ReadonlySet<Cell> {
    return this.#entities.takeTouched();
  }

  entities(kind: string): Iterable<Entity> {
    return this.#entities.entities(kind);
  }

  kinds(): Iterable<string> {
    return this.#entities.kinds();
  }

  count(kind: string): number {
    return this.#entities.count(kind);
  }

  entity(kind: string, uid: string): Entity | undefined {
    return this.#entities.entity(kind, uid);
  }

  hasKey(kind: string, key: string): boolean {
    return this.#entities.hasKey(kind, key);
  }

  byKey(kind: string, key: string): readonly Entity[] {
    return this.#entities.byKey(kind, key);
  }

  related(relation: string, key: string, limit?: number): readonly Entity[] {
    return this.#entities.related(relation, key, limit);
  }

  hasRelated(relation: string, key: string): boolean {
    return this.#entities.hasRelated(relation, key);
  }

  tallied(tally: string, key: string): unknown {
    return this.#entities.tallied(tally, key);
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
   * Whether absence in the kind is knowledge. A kind whose API is not served has no objects only
   * when the complete list of CustomResourceDefinitions shows that it is not installed, and we
   * never held one: a definition that vanished under living objects is an accident, not an answer.
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

  /**
   * Why what was recorded of a database (the Northbound where none is named) and of Kubernetes is
   * not of one moment, in one sentence. Living systems are each as they are now.
   */
  apart(database?: string): string | undefined {
    return this.recorded ? readApart(this.streams(), database) : undefined;
  }

  #stream(change: Pick<Change, 'stream' | 'source'>): FoldedStream {
    let stream = this.#streams.get(change.stream);
    if (!stream) this.#streams.set(change.stream, (stream = FoldedStream.start(change)));
    return stream;
  }

  /**
   * @param alone a replayed change in an old log, where compaction may have taken the record that
   *   it repeats: what is not held is taken from it.
   */
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
      stream.fold(change, options.checked);
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
    this.#entities.replace(before, SHARED.in(after));
    return before ? { before, after } : { after };
  }

  #delete(before: Entity | undefined): MovedEntity | undefined {
    if (!before) return undefined;
    this.#entities.replace(before, undefined);
    return { before };
  }
}
