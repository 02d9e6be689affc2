import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFinding, encodeForgotten } from '@ovn-steward/contracts/findings/finding-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as Finding;
/** States, the last of which a later version added. */
const STATES = ['suspected', 'confirmed', 'resolved', 'suppressed', 'muted'] as const;

/** A record for the findings topic, and the partition it belongs to. */
export interface Sent {
  readonly partition: number;
  readonly key: string;
  readonly value: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What no reader can take for a finding. */
const POISON: readonly ((id: string) => string)[] = [
  () => '{',
  () => 'null',
  () => '[]',
  () => JSON.stringify({ specversion: '1.0' }),
  () => JSON.stringify({ data: null }),
  () => JSON.stringify({ data: { ...SAMPLE, id: 'another' } }),
  (id) => JSON.stringify({ data: { ...SAMPLE, id, revision: 'many', state: 'confirmed' } }),
  (id) => JSON.stringify({ data: { ...SAMPLE, id, revision: 7, state: null } }),
];

/**
 * Findings of several clusters with everything that a reader meets: states and classes of a later
 * version, unknown fields, records sent again, older revisions behind newer ones, tombstones, and
 * poison. The same for the same numbers between 0 and 1.
 */
export function* findingsStream(
  clusters: readonly string[],
  random: () => number,
): Generator<Sent, never> {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const known: Finding[] = [];
  const sent = (finding: Finding): Sent => {
    const partition = partitionOf(finding.cluster, PARTITIONS);
    return { partition, ...encodeFinding(finding, { analyzer: 'a', changes: `${partition}/0-1` }) };
  };
  for (let count = 0; ; count++) {
    const what = known.length < 10 ? 0 : random();
    const at = Math.floor(random() * known.length);
    if (what < 0.3) {
      const cluster = pick(clusters);
      const id = createHash('sha256').update(`${cluster} ${count}`).digest('hex');
      known.push({ ...SAMPLE, id, cluster, revision: 1, state: 'suspected' });
      yield sent(known.at(-1)!);
    } else if (what < 0.7) {
      const state = pick(STATES) as Finding['state'];
      const more = random() < 0.2 ? { class: 'novelty', addedLater: { deep: [1] } } : {};
      const revision = known[at]!.revision + 1;
      known[at] = { ...known[at]!, ...more, state, revision } as Finding;
      yield sent(known[at]);
    } else if (what < 0.8) yield sent(known[at]!);
    else if (what < 0.88) yield sent({ ...known[at]!, revision: 1, state: 'suspected' });
    else if (what < 0.94) {
      const [{ id, cluster }] = known.splice(at, 1) as [Finding];
      const partition = partitionOf(cluster, PARTITIONS);
      yield { partition, ...encodeForgotten(id, { analyzer: 'a', changes: `${partition}/0-1` }) };
    } else {
      const { id, cluster } = known[at]!;
      yield { partition: partitionOf(cluster, PARTITIONS), key: id, value: pick(POISON)(id) };
    }
  }
}
