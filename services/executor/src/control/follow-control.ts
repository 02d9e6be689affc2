import { setImmediate } from 'node:timers/promises';
import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';
import { CONTROL, DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import {
  type ControlState,
  NOTHING_DECIDED,
  type OneTimeRequest,
  withoutDone,
} from './control-state';
import { readControlAndPlan } from './read-control-and-plan';
import { waitingReaders } from './waiting-readers';
import {
  hiddenIn,
  type Newest,
  newestOf,
  type IgnoredRecord,
  nothingRead,
} from '@ovn-steward/contracts/control/newest-of';
import { foldControls } from './fold-controls';

/** A decision counts within a second of being in the log. */
const EVERY_MS = 200;
const MAX_RECORDS = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

export interface FollowControlOptions {
  readonly log: Log;
  readonly cluster: string;
  /** The cluster's. */
  readonly partition: number;
  readonly signal: AbortSignal;
  /** Called whenever a decision changes, and once when all of the log was read. Must not throw. */
  readonly onState: (state: ControlState) => void;
  /** Called with failures, one sentence each. Must not throw. */
  readonly onTrouble?: (message: string) => void;
  /**
   * Called for each record that is not proven to come from an authorized person. Must not throw.
   */
  readonly onRefused?: (reason: RefusedFor) => void;
}

export interface ControlFollower {
  /** As of `age` ago; undefined until the topic was read to its end once. */
  state(): ControlState | undefined;
  /**
   * Milliseconds since a read found nothing more in the topic; Infinity before the first. A caller
   * that acts while this is more than some seconds may not know of a hold.
   */
  age(): number;
  /**
   * What is decided as of a read to the topic's end that began after this call: one read of the
   * log.
   * @throws Failure `log-unavailable` when that does not finish within three seconds: then a hold
   * may have been missed. The signal's reason when it fires.
   */
  fresh(signal: AbortSignal): Promise<ControlState>;
  /**
   * Forgets what is over, within a second. The topic still has it for readers that start from its
   * beginning.
   */
  forget(over: Iterable<OneTimeRequest>): void;
  /** Settles when the signal has fired. Rejects only when the log was closed before. */
  readonly ended: Promise<void>;
}

/**
 * Follows what people decide about a cluster, from the beginning of the topic, and never gives up:
 * while the log cannot be read, `age` says so. What cannot be read is set aside as a dead letter,
 * again after each start, under the same id.
 */
export function followControl(options: FollowControlOptions): ControlFollower {
  const { signal, onState, onTrouble } = options;
  let state: ControlState | undefined;
  let last: Moment | undefined;
  const over = new Set<OneTimeRequest>();
  const readers = waitingReaders();
  const follow = async (): Promise<void> => {
    let reading = startOf(state);
    for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
      const began = now();
      try {
        const step = await readOn(reading, options);
        reading = { ...step.reading, decided: withoutDone(step.reading.decided, over) };
        over.clear();
        pause = FIRST_PAUSE_MS;
        if (!step.atEnd) {
          await setImmediate(); // the embedded log reads at once: let timers and appends run between batches
          continue;
        }
        last = began;
        if (reading.decided !== state) onState((state = reading.decided));
        readers.read(began.steady, reading.decided);
        await readers.sleep(EVERY_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Failure && error.code === 'log-closed') throw error;
        if (error instanceof Failure && error.code === 'log-position-lost')
          reading = startOf(state);
        onTrouble?.(`What people decide cannot be read: ${messageOf(error)}`);
        await readers.sleep(pause, signal);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  };
  const ended = follow();
  ended.catch(() => undefined); // callers that need the error await it
  return {
    state: () => state,
    age: () => (last === undefined ? Infinity : since(last)),
    fresh: (until) => readers.wait(until),
    ended,
    forget: (those) => {
      for (const request of those) over.add(request);
    },
  };
}

interface Reading {
  readonly position: bigint;
  readonly decided: ControlState;
  readonly newest: Newest;
}

/**
 * From the log's beginning. A log that lost what we had read of it may have lost holds: those known
 * go on until a decision about the same scope is read, or this process ends.
 */
const startOf = (known: ControlState | undefined): Reading => ({
  position: 0n,
  decided: {
    ...NOTHING_DECIDED,
    ...(known && { holds: known.holds, kept: known.kept, effective: known.effective }),
  },
  newest: nothingRead(),
});

async function readOn(
  reading: Reading,
  options: FollowControlOptions,
): Promise<{ readonly reading: Reading; readonly atEnd: boolean }> {
  const { position, decided, newest } = reading;
  const batch = await options.log.read(CONTROL, options.partition, position, MAX_RECORDS);
  if (batch.records.length === 0 && batch.next === position) {
    await republishHidden(newest, options);
    return { reading, atEnd: true };
  }
  const { fold, aside } = newestOf(batch.records, newest, readControlAndPlan);
  await setAside(batch, aside, options);
  return {
    reading: {
      position: batch.next,
      decided: fold.length === 0 ? decided : foldControls(decided, options.cluster, fold),
      newest,
    },
    atEnd: batch.records.length === 0,
  };
}

/**
 * Appends again, as they were signed, holds and their ends that lie under a record that counts for
 * nothing: compaction keeps the last record of a key, and a later reader must not miss a hold.
 * Where that may not be written, it is only reported.
 */
async function republishHidden(
  newest: Newest,
  { log, partition, onTrouble }: FollowControlOptions,
): Promise<void> {
  try {
    for (const each of inBatches(hiddenIn(newest))) await log.append(CONTROL, partition, each);
  } catch (error) {
    onTrouble?.(
      `A hold or its end lies under a record that was refused, and could not be published again: ${messageOf(error)} Send it again.`,
    );
  }
}

/**
 * Those of this cluster, and those whose key names none. A hold must not wait for a dead letter:
 * one that cannot be written is only reported.
 */
async function setAside(
  { topic, partition }: LogBatch,
  aside: readonly IgnoredRecord[],
  { log, cluster, onTrouble, onRefused }: FollowControlOptions,
): Promise<void> {
  const ours = aside.filter(
    ({ record: { key } }) => !key.includes('/') || key.startsWith(`${cluster}/`),
  );
  for (const { record, why, refused } of ours) {
    const where = `${topic}/${partition}/${record.offset}`;
    if (refused !== undefined) onRefused?.(refused);
    onTrouble?.(
      refused === undefined
        ? `A decision at ${where} cannot be read: ${why}`
        : `A decision at ${where} is refused: ${why}`,
    );
  }
  const at = new Date();
  const letters = ours.map(({ record, why }) =>
    deadLetterOf({ topic, partition, record, by: 'executor', at, why }),
  );
  try {
    for (const each of inBatches(letters)) await log.append(DEAD_LETTER, partition, each);
  } catch (error) {
    onTrouble?.(`It could not be set aside either: ${messageOf(error)}`);
  }
}

interface Moment {
  readonly steady: number;
  readonly wall: number;
}

const now = (): Moment => ({ steady: performance.now(), wall: Date.now() });

/**
 * By the clock that says more: the steady one stands still while the machine sleeps, the other may
 * be set.
 */
const since = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Date.now() - wall);
