import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { observeAt, RECORDINGS } from './testing/truth';
import { steward } from './testing/cli';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-replay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const replay = (recording: string, database: string): ReturnType<typeof steward> =>
  steward([
    'run',
    '--replay',
    '--ovn-nb',
    join(RECORDINGS, recording, database),
    '--kubernetes',
    join(RECORDINGS, recording),
    '--state-dir',
    folder,
    '--speed',
    '3600',
    '--until-quiet',
    '4',
  ]);

const standing = (): string[] =>
  readCheckpoint(join(folder, 'analyzer.db'))
    .findings.filter((it) => it.state !== 'resolved')
    .map((it) => it.summary)
    .sort();

test("a cluster played from its recorded watch and its database's history ends where its last moment does", async () => {
  const ran = await replay('leaky', 'nb-history.db');
  expect(ran).toMatchObject({ code: 2, stderr: '' });
  const last = (await observeAt('leaky'))
    .findings()
    .map((it) => it.summary)
    .sort();
  expect(standing()).toEqual(last);
});

test("a healthy cluster's whole build-up leaves nothing standing", async () => {
  expect(await replay('clean', 'nb.db')).toMatchObject({ code: 0, stderr: '' });
  expect(standing()).toEqual([]);
});
