import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { TALLIES } from '@ovn-steward/judgement/tallies/registry';
import { World } from '@ovn-steward/judgement/world/world';
import { Checkpoint } from './checkpoint';
import { restoreWorld } from './restore-world';

const { data: FINDING } = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as { data: Finding };
const NOW = '2026-03-02T12:00:00.000Z';

let folder: string;
let checkpoint: Checkpoint;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  checkpoint = new Checkpoint(join(folder, 'analyzer.db'), 2);
  checkpoint.save({
    clusters: ['east', 'west'].map((cluster) => ({
      cluster,
      now: NOW,
      moved: [],
      streams: [],
      findings: [{ ...FINDING, cluster, id: cluster }],
      forgotten: [],
    })),
    outgoing: [],
    position: 1n,
    at: Date.parse(NOW),
    judged: true,
  });
});
afterEach(() => {
  checkpoint.close();
  rmSync(folder, { recursive: true });
});

const restored = (cluster: string) =>
  restoreWorld(checkpoint.path, cluster, new World(RELATIONS, TALLIES));

test('the findings of the cluster come with its time, beside the one that writes it', () => {
  const { now, findings } = restored('east');
  expect([now, findings.map(({ id }) => id)]).toEqual([NOW, ['east']]);
});

test('of a cluster that it never heard of it has no time and no findings', () =>
  expect(restored('north')).toEqual({ now: '', findings: [] }));
