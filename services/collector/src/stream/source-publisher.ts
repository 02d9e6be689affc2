import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { isUnreadStream } from '@ovn-steward/shared/kinds';
import { deliver, type DeliverOptions, type PublishedChanges, Undelivered } from './deliver';
import type { Observation, Source } from '../sources/source';
import { type StreamStep, Stream, type StreamOptions } from './stream';

export interface SourcePublisherOptions extends DeliverOptions, Omit<StreamOptions, 'owner'> {
  readonly clock: () => Date;
  /**
   * Runs what it is given once all it was given before has ended: one step at a time, whichever
   * source it comes from.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Streams that must be read again, for whatever reason; taken from it once that has begun. */
  readonly disturbed: Set<string>;
  readonly onPublished: (
    stream: string,
    changes: readonly Change[],
    published: PublishedChanges | undefined,
  ) => Promise<void>;
}

/**
 * One source's way into the log. Once the signal fires nothing more is published: a step left out
 * must have no successor.
 */
export function createSourcePublisher(
  options: SourcePublisherOptions,
  owner: Pick<Source, 'id' | 'source'>,
  signal: AbortSignal,
) {
  const { mirror, disturbed } = options;
  const streams = new Map<string, Stream>();
  const now = (): string => options.clock().toISOString();

  const streamOf = (name: string): Stream => {
    let stream = streams.get(name);
    if (!stream) {
      streams.set(name, (stream = new Stream(name, { ...options, owner })));
      disturbed.delete(name); // it will be read now in any case
    }
    return stream;
  };
  /** What the mirror holds in doubt is not to be followed, only to be read in full. */
  const mustBeUndisturbed = (): void => {
    const found = [...streams.keys()].filter((it) => disturbed.delete(it));
    if (found.length > 0)
      throw new Failure(
        'source-expired',
        `Another process published changes of ${found.join(', ')} meanwhile: the source is read again.`,
      );
  };
  const send = (step: StreamStep): Promise<void> =>
    options.inTurn(async () => {
      if (signal.aborted) return;
      const done = await deliver(options, step, signal);
      if (done) await options.onPublished(step.stream, step.changes, done.published);
    });
  /**
   * A broken rule is the source's doing; anything else that fails while a change is made is ours,
   * and no restart of the source mends it.
   */
  function* taken(
    stream: Stream,
    observation: Observation,
    observedAt: string,
  ): Generator<StreamStep> {
    try {
      yield* stream.take(observation, observedAt);
    } catch (cause) {
      throw cause instanceof Failure && cause.code === 'source-broken'
        ? cause
        : new Undelivered(messageOf(cause), { cause });
    }
  }
  const take = async (
    observations: Iterable<Observation>,
    check: () => void,
  ): Promise<{ completed: boolean }> => {
    const observedAt = now();
    const touched = new Set<Stream>();
    let completed = false;
    for (const observation of observations) {
      const stream = streamOf(observation.stream);
      touched.add(stream);
      for (const step of taken(stream, observation, observedAt)) {
        await send(step);
        check();
      }
      completed ||= observation.type === 'complete';
    }
    for (const stream of touched) for (const step of stream.rest()) await send(step);
    check();
    return { completed };
  };

  return {
    async publish(observations: Iterable<Observation>): Promise<{ completed: boolean }> {
      mustBeUndisturbed();
      return take(observations, mustBeUndisturbed);
    },
    /** The heartbeats held back, now that nothing more will come. */
    async end(): Promise<void> {
      for (const stream of streams.values())
        for (const step of stream.lastHeartbeat(now())) await send(step);
    },
    /** The source starts again: what it says next must begin with a full read. */
    restart(): void {
      for (const stream of streams.values()) {
        stream.restart();
        disturbed.delete(stream.name);
      }
    },
    /**
     * Publishes that none of the source's streams can be known now, also those that only an earlier
     * process read.
     */
    async unreachable(detail: string): Promise<void> {
      const read = mirror.streamsOf(owner).filter(({ stream }) => !isUnreadStream(stream));
      const lost = read.map(({ stream, kinds }): Observation => ({
        type: 'unavailable',
        stream,
        kinds,
        reason: 'unreachable',
        detail,
      }));
      await take(lost, () => undefined);
    },
  };
}
