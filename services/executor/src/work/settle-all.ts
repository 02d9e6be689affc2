import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { finishRace } from './record-removed';
import type { Retries } from './retries';
import { settle } from './settle';
import { finish } from './terminating';
import { settleWithdrawn } from './withdrawn-undos';
import type { ClusterWork } from './work';

export interface UnderWay {
  readonly claims: readonly ActionRecord[];
  /** What is to be put back since its owner came meanwhile. */
  readonly races: readonly ActionRecord[];
  /** What Kubernetes accepted for deletion, as far as it is to be checked now. */
  readonly terminating: readonly ActionRecord[];
  /** What was being put back for a person who withdrew the request. */
  readonly withdrawn: readonly ActionRecord[];
}

/**
 * So much of a turn at most is spent on what is under way: systems that do not answer must not hold
 * up what can be done. Milliseconds.
 */
const WITHIN_MS = 5000;

/**
 * Brings what is under way to its end, each by itself: one that cannot be is tried again after a
 * pause, and all others go on.
 */
export async function settleAll(
  { claims, races, terminating, withdrawn }: UnderWay,
  work: ClusterWork,
  times: Parameters<typeof finish>[2],
  retries: Retries,
  signal: AbortSignal,
): Promise<void> {
  const steps = new Map<string, () => Promise<ActionRecord>>([
    ...claims.map((it) => [it.id, () => settle(it, work, signal)] as const),
    ...races.map((it) => [it.id, () => finishRace(it, work, signal)] as const),
    ...terminating.map((it) => [it.id, () => finish(it, work, times, signal)] as const),
    ...withdrawn.map((it) => [it.id, () => settleWithdrawn(it, work, signal)] as const),
  ]);
  const began = performance.now();
  for (const id of retries.due(steps.keys())) {
    signal.throwIfAborted();
    if (performance.now() - began > WITHIN_MS) return;
    await retries.attempt(id, steps.get(id)!, signal);
  }
}
