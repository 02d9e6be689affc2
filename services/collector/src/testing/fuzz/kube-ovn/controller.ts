import type { FollowEvent } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Cluster } from '../cluster';
import { beginRun, endRun } from '../others/controller-pod';
import { Ipam } from './ipam';

/** Something the controller does, one write after the other: it may die at each `yield`. */
export type Job = Generator<undefined, void, void>;

/** By whom an event of a kind is handled; one for each kind that is watched. */
export type Handler = (controller: Controller, event: FollowEvent) => void;

/** What the controller does of itself now and then. */
export interface Round {
  readonly everyMs: number;
  readonly job: (controller: Controller) => Job;
}

export interface Parts {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly rounds: readonly Round[];
  /** What a start does before anything else. */
  readonly initialize: (controller: Controller) => Job;
  /** What it collects once its workers run. */
  readonly collect: (controller: Controller) => Job;
}

/** More jobs than any history has at once: a job that never ends is a fault of the model. */
const ENDLESS = 20_000;

/**
 * Kube-OVN's controller: work queues that keep the order of each key, memory that dies with it,
 * rounds.
 */
export class Controller {
  /** `blind`: it holds its Lease and hears nothing (kube-ovn.md row 73). */
  state: 'up' | 'blind' | 'down' = 'down';
  readonly ipam = new Ipam();
  /** Ports the last round found without an owner (§4.17). */
  doomed: ReadonlySet<string> = new Set();
  /** Vlans it has heard of, by uid: the next word of one is an update. */
  readonly vlans = new Set<string>();
  /** What it last heard of Vpcs, Vips and the like, by what and whose: gone when it dies. */
  readonly memory = new Map<string, unknown>();
  readonly #queues = new Map<string, Job[]>();
  #starting: Job | undefined;
  #rounds: number[];

  constructor(
    readonly cluster: Cluster,
    readonly parts: Parts,
  ) {
    this.#rounds = parts.rounds.map(() => cluster.now);
    for (const [kind, handler] of Object.entries(parts.handlers))
      cluster.objects.watch(kind, (event) => {
        if (this.state === 'up') handler(this, event);
      });
  }

  /** Behind all there is to do with that key. */
  enqueue(key: string, job: Job): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(job);
    else this.#queues.set(key, [job]);
  }

  /** The same, unless the like of it waits already: it will see all that is there. */
  enqueueOnce(key: string, job: () => Job): void {
    if ((this.#queues.get(key)?.length ?? 0) < 2) this.enqueue(key, job());
  }

  get isIdle(): boolean {
    return this.state !== 'up' || (this.#starting === undefined && this.#queues.size === 0);
  }

  /** Up to so many writes. */
  work(writes: number): void {
    for (let n = 0; n < writes && !this.isIdle; n += 1) this.#advance();
  }

  /** All there is to do, and what becomes due by it. */
  settle(): void {
    for (let n = 0; !this.isIdle; n += 1) {
      if (n > ENDLESS)
        throw new Error(
          `the model's controller does not come to rest: ${[...this.#queues.keys()].join(', ')}`,
        );
      this.#advance();
    }
  }

  /** Rounds that are due by the clock. */
  tick(): void {
    if (this.state !== 'up' || this.#starting) return;
    const { now } = this.cluster;
    for (const [nth, { everyMs, job }] of this.parts.rounds.entries()) {
      if (now - this.#rounds[nth]! < everyMs) continue;
      this.#rounds[nth] = now;
      this.enqueue(`round ${nth}`, job(this));
    }
  }

  crash(): void {
    endRun(this.cluster);
    this.state = 'down';
    this.#queues.clear();
    this.#starting = undefined;
    this.doomed = new Set();
    this.ipam.clear();
    this.vlans.clear();
    this.memory.clear();
  }

  /**
   * A new leader: nothing is remembered, everything is read again, then what is left over is
   * collected.
   */
  start(): void {
    this.crash();
    beginRun(this.cluster);
    this.state = 'up';
    this.#rounds = this.#rounds.map(() => this.cluster.now);
    this.#starting = this.parts.initialize(this);
  }

  #advance(): void {
    if (this.#starting) {
      if (this.#starting.next().done !== true) return;
      this.#starting = undefined;
      for (const [kind, handler] of Object.entries(this.parts.handlers))
        for (const object of [...this.cluster.objects.all(kind)])
          handler(this, { is: 'now', object });
      this.enqueue('collection', this.parts.collect(this));
      return;
    }
    const key = this.cluster.random.pick([...this.#queues.keys()]);
    const queue = this.#queues.get(key)!;
    if (queue[0]!.next().done !== true) return;
    // What a job did may have queued more behind it.
    queue.shift();
    if (queue.length === 0) this.#queues.delete(key);
  }
}
