import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpoint } from '@ovn-steward/analyzer';
import { Ledger } from '@ovn-steward/executor';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import { steward } from './testing/cli';

const CLUSTER = 'berlin-1';
const HOUR_MS = 3_600_000;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'steward-memory-'));
  writeFileSync(join(state, 'cluster'), `${CLUSTER}\n`);
});
afterEach(() => rmSync(state, { recursive: true }));

/** A pipeline's memory without any finding, whose streams were last heard of so many hours ago. */
function remembers(hours: Readonly<Record<string, number>>): void {
  const checkpoint = new Checkpoint(join(state, 'analyzer.db'), partitionOf(CLUSTER, PARTITIONS));
  const streams = Object.entries(hours).map(([source, ago]): StreamState => ({
    stream: source === 'kubernetes' ? 'kubernetes/Pod' : source,
    source: source as StreamState['source'],
    epoch: 1,
    seq: 1,
    cursor: '',
    observedThrough: new Date(Date.now() - ago * HOUR_MS).toISOString(),
    kinds: [],
    completeness: { state: 'complete' },
  }));
  checkpoint.save({
    position: 0n,
    at: Date.now(),
    judged: true,
    clusters: [
      {
        cluster: CLUSTER,
        now: new Date().toISOString(),
        moved: [],
        streams,
        findings: [],
        forgotten: [],
      },
    ],
    outgoing: [],
  });
  checkpoint.close();
  const file = openStateFile(join(state, 'executor.db'));
  new Ledger(file);
  file.close();
}

describe.each(['findings', 'actions'])('steward %s, where there are none', (command) => {
  const say = () => steward([command, '--state-dir', state]);

  test('ends with 3 where nobody collected yet', async () => {
    remembers({});
    expect(await say()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Nothing has been collected yet'),
    });
  });

  test('ends with 3 where one source is hours behind, and says which and how old it is', async () => {
    remembers({ 'ovn-nb': 5.2, kubernetes: 0 });
    const said = await say();
    expect(said).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('ovn-nb last reported 5.2 hours ago'),
    });
    expect(said.stderr).not.toContain('kubernetes was');
  });

  test('ends with 0 where both were just heard of', async () => {
    remembers({ 'ovn-nb': 0, kubernetes: 0 });
    expect(await say()).toMatchObject({ code: 0, stderr: '' });
  });
});
