import { createCollector, memoryMirror } from '@ovn-steward/collector';
import type { Observation, Source } from '@ovn-steward/collector';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { InputOptions } from './options';
import { inputsFrom } from './sources';

/**
 * All that recordings hold beside their last state: the history of a database file and a recorded
 * watch, each change at the time at which it was recorded, to the second.
 *
 * @returns undefined where there is no recorded watch.
 */
export async function recordedChanges(
  options: InputOptions,
  settings: Settings,
): Promise<readonly Change[] | undefined> {
  try {
    const { sources } = inputsFrom(options, settings, { replay: 'watch' });
    const each = await Promise.all(sources.map((it) => changesOf(it, settings.cluster)));
    return each.flat();
  } catch (error) {
    if (error instanceof Failure && error.code === 'input-not-found') return undefined;
    throw error;
  }
}

async function changesOf(source: Source, cluster: string): Promise<readonly Change[]> {
  const collected: Change[] = [];
  let at = new Date(0);
  const dated: Source = {
    ...source,
    observe: (signal) =>
      untilProgress(source.observe(signal), (through) => {
        at = new Date(through);
      }),
  };
  await createCollector({
    cluster,
    sources: [dated],
    mirror: memoryMirror(),
    clock: () => at,
    publish: (changes) => {
      collected.push(...changes);
      return Promise.resolve();
    },
  }).run(new AbortController().signal);
  return collected;
}

/**
 * The same, in batches that end where the source says up to when it has reported all: that is their
 * time.
 */
async function* untilProgress(
  batches: AsyncIterable<readonly Observation[]>,
  note: (through: string) => void,
): AsyncGenerator<readonly Observation[]> {
  let held: Observation[] = [];
  for await (const batch of batches) {
    for (const observation of batch) {
      held.push(observation);
      if (observation.type !== 'progress') continue;
      note(observation.through);
      yield held;
      held = [];
    }
  }
  if (held.length > 0) yield held;
}
