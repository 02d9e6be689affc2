import { pause } from '@ovn-steward/shared/pause';
import type { Observation, Source } from '../../source-kit/source';

const EVERY_MS = 500;

type Progress = Extract<Observation, { type: 'progress' }>;

/**
 * Recorded sources whose clock does not stop where the recording ends: from the last known time on
 * it runs `factor` times faster than ours, with nothing happening any more. For trying the pipeline
 * on a recording, where a grace of fifteen minutes would otherwise never pass. The sources then go
 * on until the signal fires.
 *
 * `clock` is the recordings' time, as far as it is known. Before that it stands at `before`, where an
 * earlier replay into the same state was: by our time what that one saved days after the recording
 * would seem not to have been read for days.
 * @param before ours, where there was none.
 */
export function replayRecording(
  sources: readonly Source[],
  factor: number,
  before?: Date,
): { readonly sources: readonly Source[]; readonly clock: () => Date } {
  let recorded = -Infinity;
  let endedAt: number | undefined;
  const replay: ReplayClock = {
    onProgress: (progress) => {
      recorded = Math.max(recorded, Date.parse(progress.through));
    },
    ended: () => {
      endedAt ??= Date.now();
    },
    now: () => new Date(recorded + (endedAt === undefined ? 0 : (Date.now() - endedAt) * factor)),
  };
  return {
    sources: sources.map((source) => ({
      ...source,
      observe: (signal) => replaySource(source, replay, signal),
    })),
    clock: () => (recorded === -Infinity ? (before ?? new Date()) : replay.now()),
  };
}

interface ReplayClock {
  readonly onProgress: (progress: Progress) => void;
  /**
   * A recording is at its end; from the first end on the clock runs by itself, for all of them
   * alike.
   */
  readonly ended: () => void;
  readonly now: () => Date;
}

async function* replaySource(
  source: Source,
  replay: ReplayClock,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  const last = new Map<string, Progress>();
  for await (const batch of source.observe(signal)) {
    for (const observation of batch) {
      if (observation.type !== 'progress') continue;
      last.set(observation.stream, observation);
      replay.onProgress(observation);
    }
    yield batch;
  }
  replay.ended();
  while (last.size > 0 && !signal.aborted) {
    await pause(EVERY_MS, signal);
    if (signal.aborted) return;
    const through = replay.now().toISOString();
    yield [...last.values()].map((it) => ({ ...it, through }));
  }
}
