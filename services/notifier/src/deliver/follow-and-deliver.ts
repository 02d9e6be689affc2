import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import { type FollowTopicEvent, followTopic } from '@ovn-steward/shared/log/follow-topic';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';
import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { NotifierStore, Step } from '../store/notifier-store';
import type { ActionsToSend } from '../store/actions-to-send';
import type { CommonSettings } from '../send/sender';
import { SINKS } from '../sinks/registry';
import { actionsOutbox } from './actions-outbox';
import { deliver, type DeliveryEvent } from './deliver';
import { findingsOutbox } from './findings-outbox';
import { followActions } from './follow-actions';
import type { Sink } from './outbox';

const GROUP = 'steward-notifier';

export interface NotifierParts {
  readonly log: Log;
  readonly store: NotifierStore;
  readonly sinks: readonly Sink[];
  /** Of `cluster`: a sink that belongs to one cluster belongs to this one, if it names no other. */
  readonly common: CommonSettings;
  readonly progress: Pick<
    CatchingUp,
    'watching' | 'opened' | 'closed' | 'moved' | 'failed' | 'isCaughtUp'
  >;
  /** What is known of the actions; undefined: no sink is sent any. */
  readonly actions:
    | {
        readonly store: ActionsToSend;
        readonly progress: Pick<CatchingUp, 'watching' | 'opened' | 'closed' | 'moved' | 'failed'>;
      }
    | undefined;
  readonly clock: () => Date;
  /** None of these may throw. */
  readonly onFollow: (event: FollowTopicEvent) => void;
  /** A record that is no finding; `offset` as `<partition>/<offset>`. */
  readonly onUnreadable: (offset: string, why: string) => void;
  readonly onDelivery: (event: DeliveryEvent) => void;
}

/**
 * Follows the findings and the actions, and sends each sink what it wants of them, until the signal
 * fires.
 * @throws Failure that trying again cannot mend.
 */
export async function followAndDeliver(parts: NotifierParts, signal: AbortSignal): Promise<void> {
  const { store, progress, actions, clock, onDelivery } = parts;
  const sinks = parts.sinks.map((sink) => ({
    ...sink,
    sender: SINKS[sink.settings.type](sink.settings, parts.common),
  }));
  const now = clock().getTime();
  store.keepSinks(sinks.map(({ name }) => name));
  for (const { name } of sinks) store.retryAt(name, now);
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  /**
   * Read to their end once, and not forgotten since: what is known of them is the last that could
   * be known.
   */
  const known = new Set<number>();
  const ready = (): readonly number[] => {
    for (const partition of ALL) if (progress.isCaughtUp(partition)) known.add(partition);
    return [...known];
  };
  const outboxes = [
    findingsOutbox(store, ready),
    ...(actions ? [actionsOutbox(actions.store)] : []),
  ];
  const delivering = sinks.map((sink) =>
    deliver(sink, { sender: sink.sender, outboxes, clock, onEvent: onDelivery }, both),
  );
  const takers = sinks.filter(({ settings }) => settings.about.includes('actions'));
  actions?.store.keepSinks(takers.map(({ name }) => name));
  const followingActions = actions && followActions({ ...parts, ...actions, sinks: takers }, both);
  const following = takeFindings(parts, known, both);
  try {
    await Promise.race([
      following,
      ...(followingActions ? [followingActions] : []),
      Promise.all(delivering),
    ]);
  } finally {
    ending.abort();
    await Promise.allSettled([following, followingActions, ...delivering]);
    await Promise.all(sinks.map(({ sender }) => sender.close()));
  }
}

/** @param known the partitions known to their end; those that are forgotten are taken out. */
function takeFindings(
  { log, store, sinks, progress, clock, onFollow, onUnreadable }: NotifierParts,
  known: Set<number>,
  signal: AbortSignal,
): Promise<void> {
  const waits = sinks.map(({ name, settings: { wait } }) => ({ name, waitMs: wait }));
  return followTopic(
    {
      log: progress.watching(log),
      group: GROUP,
      topic: FINDINGS,
      state: store,
      clock,
      onEvent: (event) => {
        if (event.type === 'assigned') progress.opened(event.partition);
        else if (event.type === 'revoked') progress.closed(event.partition);
        else if (event.type === 'read-failed') progress.failed(event.error, event.retryInMs);
        else
          for (const partition of event.partitions === 'all' ? ALL : event.partitions)
            known.delete(partition);
        onFollow(event);
      },
      onBatch: (batch) => {
        const steps = stepsOf(batch, onUnreadable);
        const at = clock().getTime();
        store.apply({ partition: batch.partition, steps, next: batch.next, at }, waits);
        progress.moved();
      },
    },
    signal,
  );
}

const ALL: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** What cannot be read says nothing: a finding under such a record stands as it did. */
const stepsOf = (
  { partition, records }: LogBatch,
  onUnreadable: NotifierParts['onUnreadable'],
): Step[] =>
  records.flatMap((record): Step[] => {
    const decoded = decodeFinding(partition, record);
    if ('poison' in decoded) {
      onUnreadable(`${partition}/${record.offset}`, decoded.poison);
      return [];
    }
    return ['forgotten' in decoded ? decoded : { stands: decoded.finding }];
  });
