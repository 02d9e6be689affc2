import { join } from 'node:path';
import { CatchingUp, refreshing } from '@ovn-steward/service/kafka/catching-up';
import { followedPartition } from '@ovn-steward/service/kafka/followed-partition';
import type { Lack } from '@ovn-steward/service/work/lack';
import type { FollowTopicEvent } from '@ovn-steward/shared/log/follow-topic';
import type { Log } from '@ovn-steward/shared/log/log';
import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { ACTIONS, FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { DeliveryEvent } from '../deliver/deliver';
import { followAndDeliver } from '../deliver/follow-and-deliver';
import type { CommonSettings } from '../send/sender';
import { ActionsToSend } from '../store/actions-to-send';
import { NotifierStore } from '../store/notifier-store';
import type { NotifierStatus } from './notifier-status';

/** The file in the state directory that stores what each sink received. */
export const NOTIFIER_FILE = 'notifier.db';

export type NotifierEvent =
  | FollowTopicEvent
  | DeliveryEvent
  | { readonly type: 'caught-up'; readonly partition: number }
  /** A record that is no finding; `offset` as `<partition>/<offset>`. */
  | { readonly type: 'unreadable'; readonly offset: string; readonly why: string };

export interface OpenNotifierOptions {
  readonly settings: Pick<Settings, 'stateDir' | 'notify'> & CommonSettings;
  readonly log: Log;
  readonly clock: () => Date;
  /** Must not throw. */
  readonly onEvent: (event: NotifierEvent) => void;
}

/** What a notifier shows of itself, until it is closed. */
export interface NotifierReading {
  status(): NotifierStatus;
  /** Offsets from the end of the findings, by partition. */
  lags(): ReadonlyMap<number, number>;
  /** The same of the actions; empty where no sink is sent any. */
  actionsLags(): ReadonlyMap<number, number>;
}

export interface OpenNotifier extends NotifierReading {
  /** Notifies until the signal fires. @throws Failure that trying again cannot mend. */
  run(signal: AbortSignal): Promise<void>;
  missing(): readonly Lack[];
  stuck(): string | undefined;
  close(): void;
}

/**
 * A notifier as the settings want it, in a service and in `steward run` alike. It reads nothing
 * before it is run.
 * @throws Failure when its state cannot be opened.
 */
export function openNotifier({
  settings: { stateDir, notify, ...common },
  log,
  clock,
  onEvent,
}: OpenNotifierOptions): OpenNotifier {
  const { file, store, queue } = openStores(join(stateDir, NOTIFIER_FILE), notify);
  const failures = new Map<string, string>();
  const progress = new CatchingUp({
    watermarks: (partition) => log.watermarks(FINDINGS, partition),
    position: (partition) => store.position(partition)?.next,
    onCaughtUp: (partition) => onEvent({ type: 'caught-up', partition }),
  });
  const actions = queue && { store: queue, progress: actionsProgress(queue, log) };
  const onDelivery = (event: DeliveryEvent): void => {
    if (event.type === 'delivered') failures.delete(event.sink);
    else failures.set(event.sink, event.why);
    onEvent(event);
  };
  const parts = {
    log,
    store,
    progress,
    actions,
    common,
    clock,
    onDelivery,
    sinks: Object.entries(notify.sinks).map(([name, settings]) => ({ name, settings })),
    onFollow: onEvent,
    onUnreadable: (offset: string, why: string) => onEvent({ type: 'unreadable', offset, why }),
  };
  return {
    run: (signal) => {
      const work = refreshing(progress, followAndDeliver(parts, signal));
      return actions ? refreshing(actions.progress, work) : work;
    },
    status: () => ({
      partitions: [...progress.lags().keys()].map((partition) =>
        followedPartition(partition, store.position(partition)?.next, progress),
      ),
      sinks: idleStatus(notify).sinks.map((sink) => ({
        ...sink,
        waiting: store.waiting(sink.name) + (actions?.store.waiting(sink.name) ?? 0),
        failure: failures.get(sink.name) ?? null,
      })),
    }),
    lags: () => progress.lags(),
    actionsLags: () => actions?.progress.lags() ?? new Map<number, number>(),
    missing: () => [...progress.missing(), ...(actions?.progress.missing() ?? [])],
    stuck: () => progress.stuck() ?? actions?.progress.stuck(),
    close: () => file.close(),
  };
}

interface Stores {
  readonly file: StateFile;
  readonly store: NotifierStore;
  /** Where a sink is sent actions. */
  readonly queue: ActionsToSend | undefined;
}

function openStores(path: string, { sinks }: Settings['notify']): Stores {
  const sendsActions = Object.values(sinks).some((it) => it.about.includes('actions'));
  const file = openStateFile(path);
  try {
    return {
      file,
      store: new NotifierStore(file),
      queue: sendsActions ? new ActionsToSend(file) : undefined,
    };
  } catch (error) {
    // Kept, its lock would refuse this process its own file, also once the disk has room again.
    file.close();
    throw error;
  }
}

const actionsProgress = (queue: ActionsToSend, log: Log): CatchingUp =>
  new CatchingUp({
    watermarks: (partition) => log.watermarks(ACTIONS, partition),
    position: (partition) => queue.position(partition)?.next,
    onCaughtUp: () => undefined,
  });

/** The status of the sinks before anything is read. */
export const idleStatus = ({ sinks }: Settings['notify']): NotifierStatus => ({
  partitions: [],
  sinks: Object.entries(sinks).map(([name, { type }]) => ({
    name,
    type,
    waiting: 0,
    failure: null,
  })),
});
