import { Failure } from '@ovn-steward/shared/errors';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import { type Change, changeKey } from '@ovn-steward/contracts/changes/change';
import { lastTime } from '@ovn-steward/contracts/changes/change-bounds';
import { changeId, contentHashOf, SetDigest } from '@ovn-steward/contracts/identity/ids';
import type { Mirror, MirrorEntry, StreamOwner } from '../mirror/mirror';
import type { Observation } from '../source-kit/source';
import { Unavailability } from '../source-kit/unavailability';
import { type StagedChanges, StagedStep } from './staged-step';

/** Consecutive changes of one stream, and what the mirror holds once they are acknowledged. */
export interface StreamStep extends StagedChanges {
  readonly stream: string;
}

export interface StreamOptions {
  readonly cluster: string;
  readonly owner: StreamOwner;
  readonly mirror: Mirror;
  /** No epoch is less. */
  readonly firstEpoch: number;
  /** Heartbeats are at least this far apart, in milliseconds of the source's own time. */
  readonly heartbeatEveryMs: number;
}

type Position =
  'version' | 'id' | 'cluster' | 'source' | 'stream' | 'epoch' | 'seq' | 'cursor' | 'observedAt';
type WithoutPosition<T> = T extends unknown ? Omit<T, Position> : never;
type Of<T extends Observation['type']> = Extract<Observation, { type: T }>;

/**
 * Another detail of the same reason is published once in this time, also where a source fails anew
 * with each try. Less than what sources keep to, so that none of theirs is left out. Milliseconds.
 */
const DETAIL_EVERY_MS = 30_000;
/** Changes to a step. Larger ones gain nothing and hold more in memory. */
const STEP = 1000;

/**
 * One stream's observations → its changes. The order of observations is the truth: the last word on
 * an object counts, also inside a full read; a `begin` inside a read abandons that read;
 * `unavailable` ends one without a verdict on absence.
 *
 * A step must be published and settled before the stream is used again: what it decides rests on
 * the mirror holding the ones before.
 */
export class ObservedStream {
  #epoch = 0;
  #seq = 0;
  #cursor = '';
  #observedAt = '';
  /** A `begin` was seen since the source was last started. */
  #begun = false;
  /** During a full read: kind → the uids the mirror holds and the read has not shown yet. */
  #unseen: Map<string, Set<string>> | undefined;
  #complete = false;
  readonly #unavailability = new Unavailability(
    () => Date.parse(this.#observedAt),
    DETAIL_EVERY_MS,
  );
  /** Over the mirror's entries but the unseen ones, while a full read runs or has completed. */
  #digest = new SetDigest();
  #observedThrough = -Infinity;
  #heldBack: string | undefined;
  readonly #staged = new StagedStep();

  constructor(
    readonly name: string,
    readonly options: StreamOptions,
  ) {}

  /** The source is started again: whatever it says next must start with a full read. */
  restart(): void {
    this.#begun = false;
    this.#unseen = undefined;
  }

  /**
   * @throws Failure `source-broken` for contents, or an end, that no `begin` announced: a position
   *   no read vouches for proves nothing.
   */
  *take(observation: Observation, observedAt: string): Generator<StreamStep> {
    this.#observedAt = observedAt;
    switch (observation.type) {
      case 'begin':
        this.#begin(observation);
        break;
      case 'object':
        this.#object(observation);
        break;
      case 'gone':
        this.#forget(observation.kind, observation.uid);
        break;
      case 'complete':
        yield* this.#end(observation);
        break;
      case 'unavailable':
        this.#lose(observation);
        break;
      case 'progress':
        this.#progress(observation);
        break;
    }
    if (this.#staged.size >= STEP) yield this.#step();
  }

  /** What `take` has not handed out yet. */
  *rest(): Generator<StreamStep> {
    if (this.#staged.size > 0) yield this.#step();
  }

  /**
   * The heartbeat the rate limit held back: for when the source has ended and no later one will
   * speak for it.
   */
  *lastHeartbeat(observedAt: string): Generator<StreamStep> {
    this.#observedAt = observedAt;
    if (this.#heldBack !== undefined) this.#heartbeat(this.#heldBack);
    yield* this.rest();
  }

  #begin({ kinds }: Of<'begin'>): void {
    this.#openEpoch(kinds);
    this.#begun = true;
    this.#complete = false;
    this.#digest = new SetDigest();
    this.#unseen = new Map();
    for (const [kind, uid] of this.#held()) {
      const uids = this.#unseen.get(kind);
      if (uids) uids.add(uid);
      else this.#unseen.set(kind, new Set([uid]));
    }
    this.#emit({ type: 'snapshot-begin' });
  }

  #object({ kind, uid, namespace, name, object, hash: known }: Of<'object'>): void {
    this.#mustHaveBegun();
    const before = this.#entry(kind, uid);
    const counted = !this.#unseen?.get(kind)?.delete(uid);
    const json = known === undefined ? canonicalJson(object) : undefined;
    const hash = known ?? contentHashOf(json!);
    if (before && counted) this.#uncount(before);
    if (this.#unseen ?? this.#complete) this.#digest.add(hash);
    if (before?.hash === hash && before.name === name && before.namespace === namespace) return;
    const where = namespace === undefined ? {} : { namespace };
    this.#staged.write(kind, uid, { hash, name, ...where });
    this.#emit({ type: 'put', kind, uid, ...where, name, object, hash }, json);
  }

  /** Something the mirror does not hold was never published, so there is nothing to take back. */
  #forget(kind: string, uid: string): void {
    this.#mustHaveBegun();
    const before = this.#entry(kind, uid);
    const counted = !this.#unseen?.get(kind)?.delete(uid);
    if (!before) return;
    if (counted) this.#uncount(before);
    this.#staged.write(kind, uid, null);
    this.#emit({
      type: 'delete',
      kind,
      uid,
      ...(before.namespace !== undefined && { namespace: before.namespace }),
      name: before.name,
    });
  }

  *#end({ kinds, cursor }: Of<'complete'>): Generator<StreamStep> {
    this.#mustHaveBegun();
    if (!this.#unseen) throw broken(this.name, 'ended a full read that was not running');
    for (const [kind, uids] of this.#unseen) {
      for (const uid of uids) {
        this.#forget(kind, uid);
        if (this.#staged.size >= STEP) yield this.#step();
      }
    }
    this.#unseen = undefined;
    this.#complete = true;
    this.#unavailability.end();
    this.#observedThrough = -Infinity;
    this.#cursor = cursor;
    this.#emit({
      type: 'snapshot-end',
      kinds: [...kinds],
      count: this.#digest.count,
      digest: this.#digest.toString(),
    });
  }

  /**
   * A source that could not even learn the kinds names none: then those of the last epoch are
   * meant, maybe an earlier process's.
   */
  #lose({ kinds: named, reason, detail }: Of<'unavailable'>): void {
    this.#unseen = undefined;
    this.#complete = false;
    this.#heldBack = undefined;
    if (!this.#unavailability.isNews(reason, detail)) return;
    const kinds = named.length > 0 ? named : this.#kindsBefore();
    if (this.#epoch === 0) this.#openEpoch(kinds);
    this.#emit({ type: 'unavailable', kinds: [...kinds], reason, detail });
  }

  /**
   * Only a complete stream has a watermark: during a read, or after a loss, there is no "up to here
   * nothing else happened".
   */
  #progress({ cursor, through }: Of<'progress'>): void {
    if (!this.#complete) return;
    this.#cursor = cursor;
    const time = Date.parse(through);
    if (time <= this.#observedThrough) return;
    // The clock was set back in between: readers would refuse it.
    if (time > lastTime(Date.parse(this.#observedAt))) return;
    if (time - this.#observedThrough >= this.options.heartbeatEveryMs) this.#heartbeat(through);
    else this.#heldBack = through;
  }

  #heartbeat(through: string): void {
    this.#observedThrough = Date.parse(through);
    this.#heldBack = undefined;
    this.#emit({ type: 'heartbeat', observedThrough: through });
  }

  #kindsBefore(): readonly string[] {
    return (
      this.options.mirror.streamsOf(this.options.owner).find((it) => it.stream === this.name)
        ?.kinds ?? []
    );
  }

  #openEpoch(kinds: readonly string[]): void {
    this.#epoch = this.options.mirror.openEpoch(
      this.name,
      this.options.owner,
      kinds,
      this.options.firstEpoch,
    );
    this.#seq = 0;
    this.#cursor = '';
    this.#heldBack = undefined;
  }

  #mustHaveBegun(): void {
    if (!this.#begun) throw broken(this.name, 'reported contents before a full read began');
  }

  #uncount({ hash }: MirrorEntry): void {
    if (this.#unseen ?? this.#complete) this.#digest.remove(hash);
  }

  #entry(kind: string, uid: string): MirrorEntry | undefined {
    const staged = this.#staged.entry(kind, uid);
    return staged === undefined
      ? this.options.mirror.get(this.name, kind, uid)
      : (staged ?? undefined);
  }

  /** What may be there; a staged removal is checked again before anything is made of it. */
  *#held(): Generator<readonly [kind: string, uid: string]> {
    yield* this.options.mirror.keys(this.name);
    yield* this.#staged.keys();
  }

  #emit(body: WithoutPosition<Change>, contents?: string): void {
    const { cluster, owner } = this.options;
    this.#seq += 1;
    const change = {
      version: 1,
      id: '',
      cluster,
      source: owner.source,
      stream: this.name,
      epoch: this.#epoch,
      seq: this.#seq,
      cursor: this.#cursor,
      observedAt: this.#observedAt,
      ...body,
    } as Change;
    change.id = changeId(cluster, this.name, change.epoch, change.seq, changeKey(change));
    this.#staged.add(change, contents);
  }

  #step(): StreamStep {
    return { stream: this.name, ...this.#staged.take() };
  }
}

const broken = (stream: string, what: string): Failure =>
  new Failure(
    'source-broken',
    `The source of stream ${stream} ${what}. This is a fault in ovn-steward, not in the cluster: please report it. The stream is read again.`,
  );
