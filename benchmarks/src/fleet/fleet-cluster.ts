import { createCollector, memoryMirror, publishToLog } from '@ovn-steward/collector';
import type { Observation, Source } from '@ovn-steward/collector';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { isMovable, movesOf, type Movable } from '../pipeline/moves';

/** What one source of a cluster sees when it reads in full, held in memory. */
export interface ReadSource {
  readonly source: Source;
  readonly batches: readonly (readonly Observation[])[];
}

/** A cluster of the fleet with a collector of its own, as if it were followed. */
export interface FleetCluster {
  readonly partition: number;
  /** Settles when what was read in full is in the log. */
  readonly read: Promise<void>;
  /** So many changes that its sources see next. */
  change(count: number): void;
  end(): Promise<void>;
}

/** Hands over what it is given, and waits when it has nothing. */
class Queue {
  #batches: (readonly Observation[])[] = [];
  #wake = (): void => undefined;

  push(batch: readonly Observation[]): void {
    this.#batches.push(batch);
    this.#wake();
  }

  async *drain(signal: AbortSignal): AsyncGenerator<readonly Observation[]> {
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      const next = this.#batches.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** All clusters read the same world, each under its own name. */
export function startFleetCluster(
  name: string,
  sources: readonly ReadSource[],
  log: Pick<Log, 'append'>,
): FleetCluster {
  const ended = new AbortController();
  const queues = sources.map(() => new Queue());
  const moves = sources.map(({ batches }) => endless(batches.flat().filter(isMovable)));
  let left = sources.length;
  let allRead = (): void => undefined;
  const read = new Promise<void>((resolve) => (allRead = resolve));
  const collector = createCollector({
    cluster: name,
    sources: sources.map(({ source, batches }, at): Source => ({
      ...source,
      async *observe(signal) {
        yield* batches;
        left -= 1; // what was yielded before is published when the next is asked for
        if (left === 0) allRead();
        yield* queues[at]!.drain(signal);
      },
    })),
    mirror: memoryMirror(),
    clock: () => new Date(),
    publish: publishToLog(log, name),
  });
  const running = collector.run(ended.signal);
  running.catch((error: unknown) => process.stderr.write(`${name}: ${String(error)}\n`));
  return {
    partition: partitionOf(name, PARTITIONS),
    read,
    change(count) {
      queues.forEach((queue, at) => {
        const share = Math.ceil(count / queues.length);
        queue.push(Array.from({ length: share }, () => moves[at]!.next().value as Movable));
      });
    },
    async end() {
      ended.abort();
      await running.catch(() => undefined);
    },
  };
}

function* endless(things: readonly Movable[]): Generator<Movable> {
  yield* movesOf(things, Infinity);
}
