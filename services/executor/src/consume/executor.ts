import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log, LogBatch, NewRecord } from '@ovn-steward/shared/log/log';
import { type FollowTopicEvent, readAgain, resumeFrom } from '@ovn-steward/shared/log/follow-topic';
import { DEAD_LETTER, FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Acting } from './acting';
import { actInTurn } from './in-turn';
import { partitions } from './partitions';
import { isProposal, type Proposal } from '../findings/proposal';
import type {
  AppliedSteps,
  ExecutorStore,
  ProposalCount,
  ProposalFilter,
  StoreStep,
} from '../store/executor-store';

const GROUP = 'steward-executor';

/**
 * Who share the partitions: all who only watch; or those who act for one cluster, of whom the one
 * that has its partition does.
 */
const groupOf = (cluster: string | undefined): string =>
  cluster === undefined ? GROUP : `${GROUP}-${cluster}`;

/** One batch is applied and its position stored. */
export interface ExecutedBatch extends AppliedSteps {
  readonly type: 'batch';
  readonly partition: number;
  /** The offsets of its records; there may be gaps between. */
  readonly first: bigint;
  readonly last: bigint;
  readonly records: number;
  /** How many were no findings, and were set aside. */
  readonly deadLetters: number;
  /** How many use words this version does not know; they are never proposed. */
  readonly newer: number;
  readonly seconds: number;
}

export type ExecutorEvent = ExecutedBatch | FollowTopicEvent;

export interface ExecutorOptions {
  readonly log: Log;
  readonly store: ExecutorStore;
  readonly clock: () => Date;
  /**
   * What it does for one cluster for as long as it has that cluster's partition; without it, it
   * only watches.
   */
  readonly acting?: Acting;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: ExecutorEvent) => void;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) at reading. Default: 0.5 s, doubling up
   * to 30 s.
   */
  readonly backOff?: (attempt: number) => number;
}

/** A partition this executor follows. */
export interface Followed {
  readonly partition: number;
  /** Up to where it has come. */
  readonly next: bigint;
}

export interface Executor {
  /** Follows the findings until the signal fires. @throws Failure that trying again cannot mend. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * What would be done, by cluster, rule and id: the confirmed, unresolved findings with a remedy
   * of the partitions followed. Reading them changes nothing.
   */
  proposals(filter?: ProposalFilter): readonly Proposal[];
  /** How many they are, by cluster and rule. */
  counts(): readonly ProposalCount[];
  /**
   * The partitions spoken of: those followed now, or, while the log cannot be read, those followed
   * last.
   */
  followed(): readonly Followed[];
  /**
   * Whether the log gave this executor partitions to follow and it is following them; if not, what
   * is said above is as old as the last batch.
   */
  reading(): boolean;
}

/**
 * Follows the findings of all clusters and knows what it would propose; for the one cluster it acts
 * for, it has `acting` do it. One batch is one transaction of the store; a record read twice
 * changes nothing the second time.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const { log, store, acting, clock, backOff } = options;
  const ours = partitions();
  const group = groupOf(acting?.cluster);
  const emit = (event: ExecutorEvent): void => options.onEvent?.(event);
  const readOnce = async (signal: AbortSignal, onProgress: () => void): Promise<void> => {
    const turn = actInTurn(options, group, signal);
    await log
      .consume({
        group,
        topics: [FINDINGS],
        signal: turn.signal,
        resumeAt: (_, partition) => {
          const from = resumeFrom(FINDINGS, { state: store, clock, onEvent: emit }, partition);
          ours.assigned(partition);
          emit({ type: 'assigned', partition, from });
          turn.assigned(partition);
          return from;
        },
        onRevoked: async (_, partition) => {
          ours.revoked(partition);
          emit({ type: 'revoked', partition });
          await turn.revoked(partition);
        },
        onBatch: async (batch) => {
          ours.markCurrent();
          emit(await execute(options, group, batch));
          onProgress();
        },
      })
      .finally(() => turn.ended())
      .finally(ours.ended);
    turn.throwIfFailed();
  };
  return {
    run: (signal) =>
      readAgain(
        (onProgress) => readOnce(signal, onProgress),
        { state: store, onEvent: emit, ...(backOff && { backOff }) },
        signal,
      ),
    proposals: (filter) => store.proposals(ours.now(), filter),
    counts: () => store.counts(ours.now()),
    followed: () =>
      ours.now().map((partition) => ({ partition, next: store.position(partition)?.next ?? 0n })),
    reading: ours.reading,
  };
}

async function execute(
  { log, store, clock }: ExecutorOptions,
  group: string,
  batch: LogBatch,
): Promise<ExecutedBatch> {
  const began = performance.now();
  const { topic, partition, records, next } = batch;
  const { steps, letters, newer } = read(batch, clock());
  // Before the position moves: a crash in between sets the same records aside again, under the same
  // ids.
  for (const each of inBatches(letters)) await log.append(DEAD_LETTER, partition, each);
  const applied = store.apply({ partition, steps, next, at: clock().getTime() });
  await log.commit(group, [{ topic, partition, offset: next }]);
  const first = records[0]?.offset ?? next;
  const last = records.at(-1)?.offset ?? next;
  return {
    type: 'batch',
    partition,
    first,
    last,
    records: records.length,
    deadLetters: letters.length,
    newer,
    seconds: (performance.now() - began) / 1000,
    ...applied,
  };
}

function read(
  batch: LogBatch,
  now: Date,
): {
  readonly steps: readonly StoreStep[];
  readonly letters: readonly NewRecord[];
  readonly newer: number;
} {
  const steps: StoreStep[] = [];
  const letters: NewRecord[] = [];
  let newer = 0;
  for (const record of batch.records) {
    const decodedFinding = decodeFinding(batch.partition, record);
    if ('poison' in decodedFinding)
      letters.push(
        deadLetterOf({
          topic: batch.topic,
          partition: batch.partition,
          record,
          by: 'executor',
          at: now,
          why: decodedFinding.poison,
        }),
      );
    else if ('forgotten' in decodedFinding) steps.push(decodedFinding);
    else {
      const { finding, understood } = decodedFinding;
      if (!understood) newer += 1;
      const proposal = understood && isProposal(finding) ? finding : null;
      steps.push({ stands: finding, proposal });
    }
  }
  return { steps, letters, newer };
}
