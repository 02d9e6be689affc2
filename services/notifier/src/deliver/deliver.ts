import { setTimeout as sleep } from 'node:timers/promises';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { matches } from '../sinks/matches';
import { SINKS } from '../sinks/registry';
import type { Due, NotifierStore } from '../store/notifier-store';
import { compose } from './compose';
import { post } from './post';

/** A sink by its name in the settings. */
export interface Sink {
  readonly name: string;
  readonly settings: SinkSettings;
}

export type DeliveryEvent =
  | {
      readonly type: 'delivered';
      readonly sink: string;
      readonly id: string;
      readonly state: 'open' | 'resolved';
    }
  | {
      readonly type: 'failed';
      readonly sink: string;
      readonly id: string;
      readonly why: string;
      readonly retryInMs: number;
    };

export interface DeliverOptions {
  readonly store: NotifierStore;
  /** The partitions that were read to their end. */
  readonly ready: () => readonly number[];
  readonly clock: () => Date;
  /** Must not throw. */
  readonly onEvent: (event: DeliveryEvent) => void;
  /** How often a sink with nothing to do looks for news, in milliseconds. */
  readonly pollMs?: number;
}

/** Tells one sink how the groups stand that it wants, until the signal fires. Another sink does not wait for it. */
export async function deliver(
  sink: Sink,
  options: DeliverOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, ready, clock, pollMs = 500 } = options;
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal }).catch(() => undefined);
  for (let failures = 0; !signal.aborted;) {
    const due = store.next(sink.name, ready());
    if (due === undefined || due.at > clock().getTime()) {
      await pause(pollMs);
      continue;
    }
    const sent = await attempt(sink, due, options, signal);
    if (sent === 'no news') continue;
    failures = sent.ofSink ? failures + 1 : 0;
    const recovery = sent.ofSink ? Math.max(doublingBackOff(failures), sent.retryAfterMs ?? 0) : 0;
    await pause(Math.max(60_000 / sink.settings.perMinute, recovery));
  }
}

/** Looks at one group, and sends what is news. */
async function attempt(
  { name, settings }: Sink,
  due: Due,
  { store, clock, onEvent }: DeliverOptions,
  signal: AbortSignal,
): Promise<'no news' | { readonly ofSink: boolean; readonly retryAfterMs?: number }> {
  const type = SINKS[settings.type];
  const { path, againEveryMs } = type;
  const now = clock();
  const again =
    againEveryMs !== undefined && now.getTime() - (due.delivered?.at ?? 0) >= againEveryMs;
  const open = store.open(due.group).filter((it) => matches(it, settings.routes));
  const pending = due.pending ?? compose(due, open, now, again);
  if (pending === undefined) {
    if (againEveryMs !== undefined && due.delivered && open.length > 0)
      store.later(due, due.delivered.at + againEveryMs);
    else store.settled(due);
    return 'no news';
  }
  store.compose(due, pending);
  const { id, state } = pending.last;
  const outcome = await post(settings, path, {
    id,
    body: type.body(pending.last),
    headers: type.headers?.(pending.last) ?? {},
    signal,
  });
  if (signal.aborted && !outcome.delivered) return { ofSink: false };
  const at = clock().getTime();
  if (outcome.delivered) {
    store.recordDelivered(
      due,
      { ...pending, at },
      at + Math.min(settings.every, againEveryMs ?? Infinity),
    );
    onEvent({ type: 'delivered', sink: name, id, state });
    return { ofSink: false };
  }
  const retryInMs = Math.max(doublingBackOff(due.failures + 1), outcome.retryAfterMs ?? 0);
  store.postponed(due, at + retryInMs);
  onEvent({ type: 'failed', sink: name, id, why: outcome.why, retryInMs });
  return outcome;
}
