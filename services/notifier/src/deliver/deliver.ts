import { pause } from '@ovn-steward/shared/pause';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import type { Sender } from '../send/sender';
import type { OutboxItem, Outbox, Sink } from './outbox';

export type DeliveryEvent =
  | {
      readonly type: 'delivered';
      readonly sink: string;
      readonly id: string;
      /** Of findings `open` or `resolved`, of actions their state. */
      readonly state: string;
    }
  | {
      readonly type: 'failed';
      readonly sink: string;
      readonly id: string;
      readonly why: string;
      readonly retryInMs: number;
    };

export interface DeliverOptions {
  readonly sender: Sender;
  readonly outboxes: readonly Outbox[];
  readonly clock: () => Date;
  /** Must not throw. */
  readonly onEvent: (event: DeliveryEvent) => void;
  /** How often a sink with nothing to do checks for news, in milliseconds. */
  readonly pollMs?: number;
}

/**
 * How long the answer to a notification is still awaited once the signal fired, in milliseconds.
 * One cut off on its way would be sent again at the next start, and a chat has no way to drop it.
 */
const LAST_ANSWER_MS = 5000;

/** Sends one sink what waits for it, until the signal fires. Another sink does not wait for it. */
export async function deliver(
  sink: Sink,
  options: DeliverOptions,
  signal: AbortSignal,
): Promise<void> {
  const { sender, outboxes, clock, pollMs = 500 } = options;
  const giveUp = after(signal, LAST_ANSWER_MS);
  for (let failures = 0; !signal.aborted;) {
    const item = outboxes
      .flatMap((it) => it.next(sink, sender) ?? [])
      .sort((a, b) => a.at - b.at)[0];
    if (item === undefined || item.at > clock().getTime()) {
      await pause(pollMs, signal);
      continue;
    }
    const sent = await attempt(sink, item, options, { ending: signal, giveUp });
    if (sent === 'no news') continue;
    failures = sent.ofSink ? failures + 1 : 0;
    const recovery = sent.ofSink ? Math.max(doublingBackOff(failures), sent.retryAfterMs ?? 0) : 0;
    const { requests = 1 } = sent;
    await pause(Math.max((requests * 60_000) / sink.settings.perMinute, recovery), signal);
  }
}

interface Sent {
  readonly ofSink: boolean;
  readonly retryAfterMs?: number;
  readonly requests?: number;
}

/** Fires so many milliseconds after the other. */
function after(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const fire = (): void => void setTimeout(() => later.abort(), ms).unref();
  signal.addEventListener('abort', fire, { once: true });
  return later.signal;
}

/** Sends what is news of one item. */
async function attempt(
  { name }: Sink,
  item: OutboxItem,
  { sender, clock, onEvent }: DeliverOptions,
  { ending, giveUp }: { readonly ending: AbortSignal; readonly giveUp: AbortSignal },
): Promise<'no news' | Sent> {
  const message = item.compose(clock());
  if (message === undefined) return 'no news';
  const { id, state } = message.notification;
  const outcome = await sender.send(message, giveUp);
  if (ending.aborted && !outcome.delivered) return { ofSink: false };
  const at = clock().getTime();
  if (outcome.delivered) {
    item.delivered(message, at);
    onEvent({ type: 'delivered', sink: name, id, state });
    return { ...outcome, ofSink: false };
  }
  const retryInMs = Math.max(doublingBackOff(item.failures + 1), outcome.retryAfterMs ?? 0);
  item.postponed(at + retryInMs);
  onEvent({ type: 'failed', sink: name, id, why: outcome.why, retryInMs });
  return outcome;
}
