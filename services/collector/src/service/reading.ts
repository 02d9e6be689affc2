import { messageOf } from '@ovn-steward/shared/errors';
import type { Lack } from '@ovn-steward/service/work/lack';
import type { Observation, Source, UnavailableReason } from '../source-kit/source';
import type { STREAM_STATES } from './collector-status';

/**
 * How far a stream has been read. `answered`: there is nothing to read, or it may not be read;
 * asking again changes nothing by itself.
 */
export interface StreamReading {
  readonly stream: string;
  readonly source: string;
  readonly state: (typeof STREAM_STATES)[number];
  readonly detail?: string;
}

/** Refusals that are answers: the service is as good as it can be. */
const ANSWERS: ReadonlySet<UnavailableReason> = new Set(['not-served', 'forbidden', 'not-listed']);

/** Knows of every stream how far it was read. */
export interface StreamProgress {
  /** The same sources, watched. */
  readonly sources: readonly Source[];
  streams(): readonly StreamReading[];
  missing(): readonly Lack[];
  /** Everything is to be read again. */
  restart(): void;
}

export function readingOf(sources: readonly Source[]): StreamProgress {
  const streams = new Map<string, StreamReading>();
  const restart = (): void => {
    streams.clear();
    for (const { source, streams: own } of sources)
      for (const stream of own) streams.set(stream, { stream, source, state: 'silent' });
  };
  restart();
  const record = (source: string, observation: Observation): void => {
    const { stream } = observation;
    if (observation.type === 'begin') streams.set(stream, { stream, source, state: 'reading' });
    else if (observation.type === 'complete')
      streams.set(stream, { stream, source, state: 'complete' });
    else if (observation.type === 'unavailable')
      streams.set(stream, {
        stream,
        source,
        state: ANSWERS.has(observation.reason) ? 'answered' : 'unavailable',
        detail: observation.detail,
      });
  };
  const failed = (source: string, error: unknown): void => {
    for (const stream of streams.values())
      if (stream.source === source)
        streams.set(stream.stream, {
          stream: stream.stream,
          source,
          state: 'unavailable',
          detail: messageOf(error),
        });
  };
  return {
    sources: sources.map((source) => ({
      ...source,
      observe: (signal) => watched(source, signal, record, failed),
    })),
    streams: () => [...streams.values()],
    missing: () =>
      [...streams.values()]
        .filter((it) => it.state !== 'complete' && it.state !== 'answered')
        .map(({ stream, state, detail }) => ({ what: stream, detail: detail ?? MESSAGES[state] })),
    restart,
  };
}

const MESSAGES: Readonly<Record<StreamReading['state'], string>> = {
  silent: 'it has not reported yet',
  reading: 'it is being read in full',
  unavailable: 'it cannot be read',
  complete: 'it is known in full',
  answered: 'there is nothing to read',
};

/** What the source observes, recorded when the consumer has taken it: by then it is in the log. */
async function* watched(
  source: Source,
  signal: AbortSignal,
  record: (source: string, it: Observation) => void,
  failed: (source: string, error: unknown) => void,
): AsyncGenerator<readonly Observation[]> {
  try {
    for await (const batch of source.observe(signal)) {
      yield batch;
      for (const observation of batch) record(source.source, observation);
    }
  } catch (error) {
    failed(source.source, error);
    throw error;
  }
}
