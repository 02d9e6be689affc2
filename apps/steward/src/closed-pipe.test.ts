import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSteward } from './testing/cli';
import { RECORDINGS } from './testing/truth';

const LEAKY = join(RECORDINGS, 'leaky');
const INPUTS = ['--ovn-nb', join(LEAKY, 'nb.db'), '--kubernetes', LEAKY];
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steward-pipe-'))));
afterEach(() => rmSync(folder, { recursive: true }));

interface End {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs it with a reader that stops at once, or after the first it got, as `head -1` does. */
function unread(args: readonly string[], { first }: { readonly first: boolean }): Promise<End> {
  const child = startSteward(args);
  if (first) child.stdout!.once('data', () => child.stdout!.destroy());
  else child.stdout!.destroy();
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}

test.each([
  ['a list', ['audit']],
  ['a document', ['audit', '-o', 'json']],
  ['what is written piece by piece', ['report', '-o', 'json']],
])('%s that nobody reads to its end has the exit code it has otherwise', async (_, command) => {
  for (const first of [false, true]) {
    const { code, stderr } = await unread([...command, ...INPUTS], { first });
    expect([first, code]).toEqual([first, 2]);
    expect(stderr).not.toContain('EPIPE');
  }
});

test('what would go on ends once nobody reads it', async () => {
  const args = ['run', ...INPUTS, '--state-dir', folder, '--speed', '600', '-o', 'ndjson'];
  expect((await unread(args, { first: true })).code).toBe(2);
});
