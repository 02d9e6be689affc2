import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { createLane } from '@ovn-steward/shared/lane';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import { retrying } from '@ovn-steward/shared/retrying';
import { untilOneFails } from '@ovn-steward/shared/until-one-fails';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { EPOCHS_OF_TERM } from '@ovn-steward/contracts/changes/change-bounds';
import type { AppendAck } from '@ovn-steward/shared/log/log';
import { type Publish, type PublishedChanges, Undelivered } from '../stream/deliver-step';
import type { Mirror } from '../mirror/mirror';
import type { Source } from '../source-kit/source';
import { SourcePublisher, type SourcePublisherOptions } from '../stream/source-publisher';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** One step of a stream is in the log. */
export interface PublishedEvent {
  readonly type: 'published';
  readonly source: string;
  readonly stream: string;
  /** How many, heartbeats included. */
  readonly changes: number;
  /** Nothing but the time was published. */
  readonly onlyHeartbeats: boolean;
  /** The last, should there be two. */
  readonly epoch: number;
  /** Of that epoch; all between are in it, too. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Where they are, if they went into a log. */
  readonly partition?: number;
  readonly offsets?: readonly AppendAck[];
  /**
   * The keys of objects too large for the log: it says that they are there; what they hold lies
   * among the dead letters.
   */
  readonly omitted?: readonly string[];
}

export type CollectorEvent =
  | PublishedEvent
  | {
      readonly type: 'source-failed';
      readonly source: string;
      readonly error: string;
      readonly retryInMs: number;
    }
  | {
      readonly type: 'publish-failed';
      readonly source: string;
      readonly error: string;
      readonly retryInMs: number;
    };

export interface CollectorOptions {
  readonly cluster: string;
  /** Each with an id of its own, and streams that no other source names. */
  readonly sources: readonly Source[];
  readonly publish: Publish;
  readonly mirror: Mirror;
  /** The time a change is learned: the real one, or the recording's when replaying. */
  readonly clock: () => Date;
  /**
   * Called after each step was remembered; returns the streams that must be read again, because
   * another collector published changes of them. What it throws ends the run.
   */
  readonly disturbed?: (published: PublishedChanges) => Promise<readonly string[]>;
  /**
   * Which leadership this is, see `runAsLeader`: no two collectors with different terms ever use
   * the same epoch. 0, the default, without any.
   */
  readonly term?: number;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: CollectorEvent) => void;
  /**
   * Heartbeats of a stream are at least this far apart, in milliseconds of the source's own time.
   * Default 5000.
   */
  readonly heartbeatEveryMs?: number;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) at a source or at publishing. Default:
   * 0.5 s, doubling up to 30 s.
   */
  readonly backOff?: (attempt: number) => number;
}

export interface Collector {
  /**
   * Follows all sources until each has ended or the signal fires; then resolves.
   *
   * @throws Failure that trying again cannot mend, of a source, of publishing or of the mirror; the
   *   other sources are stopped first.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * What sources observe → change records. Sources run side by side; each is read on only when what
 * it said is published and remembered, so a slow log makes slow reading, never a lost change. A
 * source that fails is started again, with a full read and a new epoch; meanwhile its streams are
 * unavailable, and nothing the mirror holds is taken for deleted.
 */
export function createCollector(options: CollectorOptions): Collector {
  if (new Set(options.sources.map((it) => it.id)).size < options.sources.length) {
    throw new Failure(
      'config-invalid',
      `Two sources have the same id (${options.sources.map((it) => it.id).join(', ')}). Give each its own.`,
    );
  }
  return {
    async run(signal) {
      const shared = { inTurn: createLane().run, disturbed: new Set<string>() };
      await untilOneFails(
        options.sources.map(
          (source) => (either) =>
            follow(options, source, shared, either).catch((error: unknown) => {
              throw error instanceof Undelivered ? error.cause : error;
            }),
        ),
        signal,
      );
    },
  };
}

/**
 * Every epoch of a later term is greater than all of an earlier one: what a collector that was
 * replaced still says is old to every reader.
 */
export const firstEpochOf = (term: number): number => term * EPOCHS_OF_TERM;

async function follow(
  options: CollectorOptions,
  source: Source,
  shared: Pick<SourcePublisherOptions, 'inTurn' | 'disturbed'>,
  signal: AbortSignal,
): Promise<void> {
  const backOff = options.backOff ?? doublingBackOff;
  const emitEvent = (event: DistributiveOmit<CollectorEvent, 'source'>): void =>
    options.onEvent?.({ ...event, source: source.id });
  const publisher = new SourcePublisher(
    {
      ...options,
      ...shared,
      backOff,
      firstEpoch: firstEpochOf(options.term ?? 0),
      heartbeatEveryMs: options.heartbeatEveryMs ?? 5000,
      onRetry: (error, retryInMs) => emitEvent({ type: 'publish-failed', error, retryInMs }),
      onPublished: async (stream, changes, published) => {
        emitEvent({ type: 'published', stream, ...describedChanges(changes), ...published });
        if (published)
          for (const stream of await disturbedBy(options, published)) shared.disturbed.add(stream);
      },
    },
    source,
    signal,
  );
  await retrying(
    async (onProgress) => {
      if (signal.aborted) return;
      for await (const observations of source.observe(signal)) {
        if ((await publisher.publish(observations)).completed) onProgress();
        if (signal.aborted) return;
      }
      await publisher.end();
    },
    {
      isFinal: (error) => error instanceof Undelivered || retryOf(error, 'later') === 'never',
      backOff: (attempt, error) =>
        retryOf(error, 'later') === 'now' && attempt === 1 ? 0 : backOff(attempt),
      async onRetry(error, retryInMs) {
        emitEvent({ type: 'source-failed', error: messageOf(error), retryInMs });
        publisher.restart();
        if (retryInMs > 0) await publisher.unreachable(messageOf(error));
      },
    },
    signal,
  );
}

function describedChanges(changes: readonly Change[]) {
  const { epoch, seq: lastSeq } = changes.at(-1)!;
  const firstSeq = changes.find((it) => it.epoch === epoch)!.seq;
  return {
    changes: changes.length,
    onlyHeartbeats: changes.every((it) => it.type === 'heartbeat'),
    epoch,
    firstSeq,
    lastSeq,
  };
}

async function disturbedBy(
  { disturbed }: CollectorOptions,
  published: PublishedChanges,
): Promise<readonly string[]> {
  try {
    return (await disturbed?.(published)) ?? [];
  } catch (cause) {
    throw new Undelivered(messageOf(cause), { cause });
  }
}
