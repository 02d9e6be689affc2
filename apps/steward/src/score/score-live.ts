import { createCollector } from '@ovn-steward/collector';
import type { Score } from '@ovn-steward/judgement/score/score';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import type { Inputs } from '../inputs/sources';
import { worldMirror } from '../inputs/world-mirror';
import { graded } from './graded';

/** How often the sources say up to when they know everything, in milliseconds. */
const HEARTBEAT_MS = 5_000;

export interface ScoreLiveOptions {
  /** Of our own clock, from the start; in milliseconds. */
  readonly forMs: number;
  /** As of `graded`. */
  readonly dueMs: number | undefined;
  /** Ends it before. */
  readonly signal: AbortSignal;
  readonly onProgress: (received: number) => void;
}

/**
 * Follows the living systems for some time, and grades what it sees. Nothing is written anywhere.
 */
export async function scoreLive(
  inputs: Inputs,
  settings: Settings,
  { forMs, dueMs, signal, onProgress }: ScoreLiveOptions,
): Promise<Score> {
  const grading = graded(settings, dueMs);
  let received = 0;
  const collector = createCollector({
    cluster: settings.cluster,
    sources: inputs.sources,
    mirror: worldMirror(grading.engine.world),
    clock: () => new Date(),
    heartbeatEveryMs: HEARTBEAT_MS,
    publish: (changes) => {
      grading.apply(changes);
      onProgress((received += changes.length));
      return Promise.resolve();
    },
  });
  await collector.run(timeLimit(forMs, signal));
  return grading.scorecard.score();
}
