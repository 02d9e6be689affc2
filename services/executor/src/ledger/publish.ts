import { encodeActionText } from '@ovn-steward/contracts/actions/action-codec';
import { Failure } from '@ovn-steward/shared/errors';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log } from '@ovn-steward/shared/log/log';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Ledger } from './ledger';
import { catchUpLedger } from './catch-up';

const MOST_AT_ONCE = 500;
/**
 * How often, at most, records of others are read while there is nothing to publish; milliseconds.
 */
const LISTEN_EVERY_MS = 5000;

export interface PublisherOptions {
  readonly log: Log;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  /** Called for each record that is not proven to come from an executor. Must not throw. */
  readonly onRefused?: ((reason: RefusedFor) => void) | undefined;
}

export interface Publisher {
  /**
   * Settles when everything written for that partition before this call is acknowledged by the log,
   * and nothing was there before it that the ledger did not know: write, publish, fence, act. Calls
   * for one partition run one after the other, each takes along what waits, and those that wait for
   * their turn under one signal have it together.
   *
   * @throws Failure `log-partition-lost` when another executor decided something meanwhile; what
   * waited here about the same is void, and the partition must be read again (`catchUp` is done).
   * Else as `Log.append` and `Log.read`: what waited still waits; nothing may be acted on.
   */
  publishNow(partition: number, signal: AbortSignal): Promise<void>;
}

/**
 * Sends the ledger's outbox to the log, in order and at least once: readers drop repetitions by id
 * and revision.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const last = new Map<number, Promise<void>>();
  const waiting = new Map<number, { readonly signal: AbortSignal; readonly done: Promise<void> }>();
  const listenedAt = new Map<number, number>();
  const step = async (partition: number, signal: AbortSignal): Promise<void> => {
    await drain(options, partition, signal);
    if (performance.now() - (listenedAt.get(partition) ?? -Infinity) < LISTEN_EVERY_MS) return;
    listenedAt.set(partition, performance.now());
    await listen(options, partition, signal);
  };
  return {
    publishNow(partition, signal) {
      const queued = waiting.get(partition);
      if (queued?.signal === signal) return queued.done;
      const before = last.get(partition) ?? Promise.resolve();
      const done = before
        .catch(() => undefined)
        .then(() => {
          if (waiting.get(partition)?.done === done) waiting.delete(partition);
          return step(partition, signal);
        });
      last.set(partition, done);
      waiting.set(partition, { signal, done });
      return done;
    },
  };
}

async function drain(
  options: PublisherOptions,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const { log, ledger, clock } = options;
  for (
    let waiting = ledger.outbox(partition, MOST_AT_ONCE);
    waiting.length > 0;
    waiting = ledger.outbox(partition, MOST_AT_ONCE)
  ) {
    const timestamp = clock().getTime();
    for (const batch of inBatches(
      waiting.map((it) => ({ ...encodeActionText(it.id, it.text, timestamp), seq: it.seq })),
    )) {
      signal.throwIfAborted();
      const { first, next } = await log.append(ACTIONS, partition, batch);
      if (first === ledger.position(partition)) {
        ledger.published(
          partition,
          batch.map((it) => it.seq),
          next,
        );
        continue;
      }
      // Something came before them: ours, of whose fate we never heard, or another's. Ours are read
      // back with it, in the log's order.
      await catchUpFirst(options, partition, signal);
      break;
    }
  }
}

/**
 * What others wrote is known, and where it counts for nothing set aside, though nothing is
 * published.
 */
async function listen(
  options: PublisherOptions,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const known = options.ledger.position(partition);
  if (known === undefined || (await options.log.watermarks(ACTIONS, partition)).high === known)
    return;
  await catchUpFirst(options, partition, signal);
}

async function catchUpFirst(
  options: PublisherOptions,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const { news } = await catchUpLedger({ ...options, partition, signal });
  if (news > 0)
    throw new Failure(
      'log-partition-lost',
      `Another executor decided about actions in partition ${partition} while this one did: it is read again. If it happens again, look for a second executor of the same cluster.`,
    );
}
