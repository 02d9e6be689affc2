import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpoint } from '@ovn-steward/analyzer';
import { Ledger } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { findingIn } from '@ovn-steward/contracts/findings/finding-codec';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { FILES } from './inputs/state-files';
import { steward } from './testing/cli';

/** What a later version may write, with words and members that this one does not know. */
const sample = (name: string): string =>
  readFileSync(join(__dirname, '../../../contracts/later-versions', `${name}.v1.json`), 'utf8');

let state: string;
beforeEach(() => (state = mkdtempSync(join(tmpdir(), 'steward-later-'))));
afterEach(() => rmSync(state, { recursive: true }));

test('a finding of a later version is listed and explained as it stands', async () => {
  const finding = findingIn(sample('finding-event'));
  const { cluster, id, firstSeen } = finding;
  writeFileSync(join(state, 'cluster'), `${cluster}\n`);
  const checkpoint = new Checkpoint(join(state, 'analyzer.db'), partitionOf(cluster, PARTITIONS));
  checkpoint.save({
    position: 0n,
    at: Date.now(),
    judged: true,
    clusters: [
      { cluster, now: firstSeen, moved: [], streams: [], findings: [finding], forgotten: [] },
    ],
    outgoing: [],
  });
  checkpoint.close();
  const log = openSqliteLog({ file: join(state, FILES.log) });
  await log.ensureTopics(TOPICS);
  await log.close();
  const listed = await steward(['findings', '--state-dir', state]);
  expect(listed.stdout).toContain(`muted     since ${firstSeen} ${id.slice(0, 10)} `);
  const other = await steward(['findings', '--state-dir', state, '--subnet', 'none-such']);
  expect(other.stdout).toBe('No finding matches these options. Open in all: 1.\n');
  const json = await steward(['findings', '--state-dir', state, '--output', 'ndjson']);
  expect(json.stdout).toBe(`${JSON.stringify(finding)}\n`);
  const explained = await steward(['explain', id, '--state-dir', state]);
  expect(explained.stdout).toContain('a fact that only a later version knows: {"fact":"idle"');
});

test('an action of a later version is listed as it stands', async () => {
  const action = JSON.parse(sample('action')) as ActionRecord;
  const file = openStateFile(join(state, 'executor.db'));
  new Ledger(file).write([action]);
  const { code, stdout } = await steward(['actions', '--state-dir', state]);
  file.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(` quarantined +${action.id.slice(0, 12)} `));
});
