import { decodeAction } from '@ovn-steward/contracts/actions/action-codec';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import { type FollowTopicEvent, followTopic } from '@ovn-steward/shared/log/follow-topic';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import type { Sender } from '../send/sender';
import { matchesAction } from '../sinks/matches';
import type { ActionsSink, ActionsToSend, ActionStep } from '../store/actions-to-send';
import type { Sink } from './outbox';

/** Its own: the members of a group of Kafka share the topics of all. */
const ACTIONS_GROUP = 'steward-notifier-actions';

export interface FollowActionsParts {
  readonly log: Log;
  readonly store: ActionsToSend;
  readonly sinks: readonly (Sink & { readonly sender: Sender })[];
  readonly progress: Pick<CatchingUp, 'watching' | 'opened' | 'closed' | 'moved' | 'failed'>;
  readonly clock: () => Date;
  /** None of these may throw. */
  readonly onFollow: (event: FollowTopicEvent) => void;
  readonly onUnreadable: (offset: string, why: string) => void;
}

/**
 * Follows the actions of the executor, and queues them for the sinks, until the signal fires.
 * @throws Failure that trying again cannot mend.
 */
export async function followActions(parts: FollowActionsParts, signal: AbortSignal): Promise<void> {
  const { log, store, sinks, progress, clock, onFollow } = parts;
  store.begin(clock().getTime());
  const takers = sinks.map(takerOf);
  await followTopic(
    {
      log: progress.watching(log),
      clock,
      group: ACTIONS_GROUP,
      topic: ACTIONS,
      state: store,
      onEvent: (event) => {
        if (event.type === 'assigned') progress.opened(event.partition);
        else if (event.type === 'revoked') progress.closed(event.partition);
        else if (event.type === 'read-failed') progress.failed(event.error, event.retryInMs);
        onFollow(event);
      },
      onBatch: (batch) => {
        const steps = stepsOf(batch, parts.onUnreadable);
        const at = clock().getTime();
        store.apply({ partition: batch.partition, steps, next: batch.next, at }, takers);
        progress.moved();
      },
    },
    signal,
  );
}

const CLASSES: ReadonlyMap<string, string> = new Map(RULES.map((it) => [it.id, it.class]));

const takerOf = ({ name, settings, sender }: FollowActionsParts['sinks'][number]): ActionsSink => ({
  name,
  waitMs: settings.wait,
  takes: (action, state) =>
    (sender.cluster === undefined || action.cluster === sender.cluster) &&
    matchesAction(action, { state, findingClass: CLASSES.get(action.rule) }, settings.routes),
});

/** A record that no executor is proven to have written, or that cannot be read, notifies nobody. */
const stepsOf = (
  { partition, records }: LogBatch,
  onUnreadable: FollowActionsParts['onUnreadable'],
): ActionStep[] =>
  records.flatMap((record): ActionStep[] => {
    const decoded =
      record.origin?.is === 'refused'
        ? { poison: record.origin.why }
        : decodeAction(partition, record);
    if ('poison' in decoded) {
      onUnreadable(`${partition}/${record.offset}`, decoded.poison);
      return [];
    }
    return ['forgotten' in decoded ? decoded : { stands: decoded.action }];
  });
