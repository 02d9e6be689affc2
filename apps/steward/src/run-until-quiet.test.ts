import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recording } from '@ovn-steward/testbed/recordings';
import { steward } from './testing/cli';
import { heardUntil } from './inputs/heard-until';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-quiet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('nothing is quiet before everything was read', async () => {
  expect(
    await steward([
      'run',
      ...['--ovn-nb', recording('clean', 'nb.db'), '--kubernetes', recording('clean', '.')],
      ...['--state-dir', folder, '--until-quiet', '0.001'],
    ]),
  ).toMatchObject({ stderr: '' });
  expect(heardUntil(folder)).toBeDefined();
});
