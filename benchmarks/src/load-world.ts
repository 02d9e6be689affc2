import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import {
  createCollector,
  createOvnFileSource,
  kubernetesRecording,
  memoryMirror,
} from '@ovn-steward/collector';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { WrittenWorld } from './world/write-world';

/**
 * Reads a world into an engine of this process.
 * @param recorded as `steward audit` judges files, with doubt of lists that were cut; else as what
 *   follows living systems does.
 */
export async function loadWorld(
  { northbound, kubernetes }: Pick<WrittenWorld, 'northbound' | 'kubernetes'>,
  recorded = false,
): Promise<Engine> {
  const { cluster, grace } = Settings.parse({ cluster: 'bench' });
  const engine = createEngine({ cluster, grace }, recorded);
  const collector = createCollector({
    cluster,
    sources: [
      createOvnFileSource({ id: 'ovn-nb', path: northbound }),
      kubernetesRecording({ path: kubernetes, replay: 'final' }),
    ],
    mirror: memoryMirror(),
    clock: () => new Date(),
    publish: async (changes) => void engine.apply(changes),
  });
  await collector.run(new AbortController().signal);
  return engine;
}

export interface Found {
  readonly rule: string;
  readonly subject: { readonly uid: string; readonly part?: { readonly key: string } | undefined };
}

/** Findings in a form in which two sets of them can be compared. */
export const findingsIn = (findings: Iterable<Found>): string[] =>
  [...findings]
    .map(({ rule, subject }) => `${rule} ${subject.uid} ${subject.part?.key ?? ''}`)
    .sort();

/** What there should be to find, in the same form. */
export const plantedIn = ({ planted }: WrittenWorld): string[] =>
  findingsIn(
    planted.map(({ rule, uid, part }) => ({
      rule,
      subject: { uid, part: part === undefined ? undefined : { key: part } },
    })),
  );
