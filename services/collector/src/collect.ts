import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import { type Publish, Undelivered } from './deliver';
import type { Mirror } from './mirror';
import type { Source } from './source';
import { createTeller } from './teller';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export type CollectorEvent =
  | { readonly type: 'published'; readonly source: string; readonly stream: string; readonly changes: number }
  | { readonly type: 'source-failed'; readonly source: string; readonly error: string; readonly retryInMs: number }
  | { readonly type: 'publish-failed'; readonly source: string; readonly error: string; readonly retryInMs: number };

export interface CollectorOptions {
  readonly cluster: string;
  /** Each with an id of its own, and streams that no other source names. */
  readonly sources: readonly Source[];
  readonly publish: Publish;
  readonly mirror: Mirror;
  /** The time a change is learned: the real one, or the recording's when replaying. */
  readonly clock: () => Date;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: CollectorEvent) => void;
  /** Heartbeats of a stream are at least this far apart, in milliseconds of the source's own time. Default 5000. */
  readonly heartbeatEveryMs?: number;
  /** Milliseconds to wait before the given attempt (1, 2, …) at a source or at publishing. Default: 0.5 s, doubling up to 30 s. */
  readonly backOff?: (attempt: number) => number;
}

export interface Collector {
  /**
   * Follows all sources until each has ended or the signal fires; then resolves.
   *
   * @throws Failure that trying again cannot mend, of a source, of publishing or of the mirror; the other sources are stopped first.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * What sources observe → change records. Sources run side by side; each is read on only when what it said is published and remembered,
 * so a slow log makes slow reading, never a lost change. A source that fails is started anew, with a full read and a new
 * epoch; meanwhile its streams are unavailable, and nothing the mirror holds is taken for gone.
 */
export function createCollector(options: CollectorOptions): Collector {
  if (new Set(options.sources.map((it) => it.id)).size < options.sources.length) {
    throw new Failure('config-invalid', `Two sources have the same id (${options.sources.map((it) => it.id).join(', ')}). Give each its own.`);
  }
  return {
    async run(signal) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      const ends = await Promise.allSettled(
        options.sources.map((source) =>
          follow(options, source, either).catch((error: unknown) => {
            stop.abort();
            throw error instanceof Undelivered ? error.cause : error;
          }),
        ),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

const defaultBackOff = (attempt: number): number => Math.min(500 * 2 ** (attempt - 1), 30_000);

async function follow(options: CollectorOptions, source: Source, signal: AbortSignal): Promise<void> {
  const backOff = options.backOff ?? defaultBackOff;
  const tellEvent = (event: DistributiveOmit<CollectorEvent, 'source'>): void => options.onEvent?.({ ...event, source: source.id });
  const teller = createTeller(
    {
      ...options,
      backOff,
      heartbeatEveryMs: options.heartbeatEveryMs ?? 5000,
      onRetry: (error, retryInMs) => tellEvent({ type: 'publish-failed', error, retryInMs }),
      onPublished: (stream, changes) => tellEvent({ type: 'published', stream, changes }),
    },
    source,
    signal,
  );
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      for await (const observations of source.observe(signal)) {
        if ((await teller.tell(observations)).completed) attempt = 1;
        if (signal.aborted) return;
      }
      return await teller.end();
    } catch (error) {
      if (error instanceof Undelivered || retryOf(error, 'later') === 'never') throw error;
      if (signal.aborted) return;
      const retryInMs = retryOf(error, 'later') === 'now' && attempt === 1 ? 0 : backOff(attempt);
      tellEvent({ type: 'source-failed', error: messageOf(error), retryInMs });
      teller.restart();
      if (retryInMs > 0) await teller.unreachable(messageOf(error));
      await sleep(retryInMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
