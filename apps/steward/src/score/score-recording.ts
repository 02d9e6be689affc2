import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Score } from '@ovn-steward/judgement/score/score';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { InputOptions } from '../inputs/options';
import { recordedChanges } from '../inputs/recorded-changes';
import { type Graded, graded } from './graded';

/**
 * Grades what a recording has of the past: the history of its database and its watch, merged by
 * time. Both are taken to end together, when the last of them was written.
 *
 * @throws Failure `input-not-found` where the recording has no watch.
 */
export async function scoreRecording(
  options: InputOptions,
  settings: Settings,
  dueMs?: number,
): Promise<Score> {
  const changes = await recordedChanges(options, settings);
  if (changes === undefined)
    throw new Failure(
      'input-not-found',
      `${options.kubernetes} has no watch.ndjson, so it shows one moment and no collection. Record one over time with steward record --for, or follow the living cluster: give --kubernetes a kubeconfig, and --for.`,
    );
  const grading = graded(settings, dueMs);
  for (const batch of byTime(changes)) grading.apply(batch);
  grading.apply(untilTheEnd(grading));
  return grading.scorecard.score();
}

/** In the order of their times; those of one stream, and of one time, stay in theirs. */
export function byTime(changes: readonly Change[]): readonly (readonly Change[])[] {
  const lasts = new Map<string, string>();
  const dated = changes.map((change) => {
    // A stream's clock does not go back, whatever a recorder wrote.
    const before = lasts.get(change.stream) ?? '';
    const at = change.observedAt > before ? change.observedAt : before;
    lasts.set(change.stream, at);
    return { at, change };
  });
  dated.sort(ascendingBy((it) => it.at));
  const batches: Change[][] = [];
  let at: string | undefined;
  for (const datedChange of dated) {
    if (datedChange.at === at) batches.at(-1)!.push(datedChange.change);
    else batches.push([datedChange.change]);
    at = datedChange.at;
  }
  return batches;
}

/** Each stream says that it knows all up to the end. */
const untilTheEnd = ({ engine }: Graded): readonly Change[] =>
  engine.streams().map(({ stream, source, epoch, seq, cursor }) => ({
    type: 'heartbeat',
    version: 1,
    id: `${stream}-end`,
    cluster: '',
    source,
    stream,
    epoch,
    seq: seq + 1,
    cursor,
    observedAt: engine.now,
    observedThrough: engine.now,
  }));
