import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { deliver, type DeliverOptions, Undelivered } from './deliver';
import type { Observation, Source } from './source';
import { type Step, Stream, type StreamOptions } from './stream';

export interface TellerOptions extends DeliverOptions, Omit<StreamOptions, 'owner' | 'source'> {
  readonly clock: () => Date;
  readonly onPublished: (stream: string, changes: number) => void;
}

/** One source's way into the log. Once the signal fires nothing more is told: a step left out must have no successor. */
export function createTeller(options: TellerOptions, { id, source }: Source, signal: AbortSignal) {
  const { cluster, mirror, heartbeatEveryMs } = options;
  const streams = new Map<string, Stream>();
  const now = (): string => options.clock().toISOString();

  const streamOf = (name: string): Stream => {
    let stream = streams.get(name);
    if (!stream) streams.set(name, (stream = new Stream(name, { cluster, mirror, heartbeatEveryMs, owner: id, source })));
    return stream;
  };
  const send = async (step: Step): Promise<void> => {
    if (signal.aborted || !(await deliver(options, step, signal))) return;
    options.onPublished(step.stream, step.changes.length);
  };
  /** A broken rule is the source's doing; anything else that fails while a change is made is ours, and no restart of the source mends it. */
  function* taken(stream: Stream, it: Observation, observedAt: string): Generator<Step> {
    try {
      yield* stream.take(it, observedAt);
    } catch (cause) {
      throw cause instanceof Failure && cause.code === 'source-broken' ? cause : new Undelivered(messageOf(cause), { cause });
    }
  }
  const tell = async (observations: Iterable<Observation>): Promise<{ completed: boolean }> => {
    const observedAt = now();
    const touched = new Set<Stream>();
    let completed = false;
    for (const it of observations) {
      const stream = streamOf(it.stream);
      touched.add(stream);
      for (const step of taken(stream, it, observedAt)) await send(step);
      completed ||= it.type === 'complete';
    }
    for (const stream of touched) for (const step of stream.rest()) await send(step);
    return { completed };
  };

  return {
    tell,
    /** The heartbeats held back, now that nothing more will come. */
    async end(): Promise<void> {
      for (const stream of streams.values()) for (const step of stream.lastHeartbeat(now())) await send(step);
    },
    /** The source starts anew: what it says next must begin with a full read. */
    restart(): void {
      for (const stream of streams.values()) stream.restart();
    },
    /** Tells that none of the source's streams can be known now, also those that only an earlier process read. */
    async unreachable(detail: string): Promise<void> {
      await tell(mirror.streamsOf(id).map(({ stream, kinds }) => ({ type: 'unavailable', stream, kinds, reason: 'unreachable', detail })));
    },
  };
}
