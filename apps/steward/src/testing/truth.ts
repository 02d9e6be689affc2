import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { inputsFrom } from '../inputs/sources';
import { readWorld } from '../inputs/read-world';

/** One line of a recording's truth.json. */
export interface TruthEntry {
  readonly expect: 'finding' | 'keep' | 'optional' | 'report-only';
  readonly source: 'nb' | 'sb' | 'kubernetes';
  readonly table?: string;
  readonly uuid?: string;
  readonly uid?: string;
  readonly kind?: string;
  readonly name: string;
  readonly symptom?: string;
  readonly vip?: string;
  readonly via?: string;
  readonly garbage?: boolean;
}

export const RECORDINGS = join(__dirname, '..', '..', '..', '..', 'examples', 'recordings');

interface Truth {
  /** When it was recorded, RFC 3339. */
  readonly captured_at: string;
  readonly entries: readonly TruthEntry[];
}

const truthFileOf = (recording: string): Truth =>
  JSON.parse(readFileSync(join(RECORDINGS, recording, 'truth.json'), 'utf8')) as Truth;

export const truthOf = (recording: string): readonly TruthEntry[] => truthFileOf(recording).entries;

/** The day on which it was recorded. */
export const recordedOn = (recording: string): string =>
  truthFileOf(recording).captured_at.slice(0, 10);

/** Audits a recording as `steward audit` would. */
export function observe(ovnNb: string, kubernetes: string, ovnSb?: string): Promise<Engine> {
  const settings = Settings.parse({ cluster: 'test' });
  const inputs = { ovnNb, kubernetes, ...(ovnSb === undefined ? {} : { ovnSb }) };
  return readWorld(inputsFrom(inputs, settings), settings, { timeoutMs: 60_000 });
}

export const observeAt = (recording: string): Promise<Engine> =>
  observe(join(RECORDINGS, recording, 'nb.db'), join(RECORDINGS, recording));

/**
 * Small clusters of each release of Kube-OVN that was at hand (`npm run -s rig -- --record`), and
 * those of one in which more was planted.
 */
export const recordingNames = (): readonly string[] => [
  'clean',
  'leaky',
  'shared-neutron',
  ...readdirSync(RECORDINGS)
    .filter((it) => it.startsWith('kube-ovn-'))
    .flatMap((it) => [`${it}/clean`, `${it}/leaky`]),
];

export const idOf = (entry: TruthEntry): string => entry.uuid ?? entry.uid ?? '';

/** Whether the finding is about what the entry names. */
const covers = (finding: Finding, entry: TruthEntry): boolean =>
  [finding.subject.uid, ...finding.concerns.map((it) => it.uid)].includes(idOf(entry)) &&
  (entry.vip === undefined || finding.subject.part?.key === entry.vip);

/** What was planted and not found; `optional`: of what is known to be missed. */
export const missedOf = (
  findings: readonly Finding[],
  truth: readonly TruthEntry[],
  expected: 'finding' | 'optional' = 'finding',
): readonly TruthEntry[] =>
  truth
    .filter((it) => it.expect === expected)
    .filter((it) => !findings.some((finding) => covers(finding, it)));

/** What is called garbage or leak and is to be kept. */
export function wronglyAccused(
  findings: readonly Finding[],
  truth: readonly TruthEntry[],
): readonly Finding[] {
  const known = truth.filter((it) => it.expect !== 'keep');
  return findings.filter(
    (finding) =>
      ['garbage', 'leak'].includes(finding.class) &&
      !known.some((entry) => covers(finding, entry) || idOf(entry) === finding.subject.uid),
  );
}
