import { pause } from '@ovn-steward/shared/pause';
import type { Observation, Source } from '../../source-kit/source';

const EVERY_MS = 500;

type Progress = Extract<Observation, { type: 'progress' }>;

/**
 * A recording taken for a cluster in which nothing happens any more: what it says is said as of
 * now, and goes on being so until the signal fires. For standing beside a living database, whose
 * time is ours.
 */
export const asOfNow = (source: Source, now: () => Date = () => new Date()): Source => ({
  ...source,
  observe: (signal) => observe(source, now, signal),
});

async function* observe(
  source: Source,
  now: () => Date,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  const last = new Map<string, Progress>();
  const present = (progress: Progress): Progress => ({ ...progress, through: now().toISOString() });
  for await (const batch of source.observe(signal)) {
    for (const observation of batch)
      if (observation.type === 'progress') last.set(observation.stream, observation);
    yield batch.map((it) => (it.type === 'progress' ? present(it) : it));
  }
  while (last.size > 0 && !signal.aborted) {
    await pause(EVERY_MS, signal);
    if (!signal.aborted) yield [...last.values()].map(present);
  }
}
