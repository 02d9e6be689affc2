import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recording } from '@ovn-steward/testbed/recordings';
import { steward } from '../testing/cli';
import { heardUntil } from './heard-until';
import { FILES } from './state-files';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steward-heard-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('is when the sources were heard last, by their clock', async () => {
  await steward([
    'run',
    ...['--ovn-nb', recording('clean', 'nb.db'), '--kubernetes', recording('clean', '.')],
    ...['--state-dir', folder, '--until-quiet', '1'],
  ]);
  expect(heardUntil(folder)?.toISOString()).toMatch(/^2026-11-21T/);
});

test('is not known of a folder without a checkpoint, or with one that cannot be read', () => {
  expect(heardUntil(folder)).toBeUndefined();
  writeFileSync(join(folder, FILES.checkpoint), 'no database, but long enough'.repeat(100));
  expect(heardUntil(folder)).toBeUndefined();
});
