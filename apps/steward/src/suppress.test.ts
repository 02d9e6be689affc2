import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steward } from './testing/cli';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'steward-suppress-'));
  writeFileSync(join(state, 'cluster'), 'berlin-1\n');
});
afterEach(() => rmSync(state, { recursive: true }));

const say = (...args: string[]) => steward([...args, '--state-dir', state]);
const LEAKS = ['--rule', 'leaked-ip', '--namespace', 'shop', '--force', '--wait', '0'];

test('a suppression and a protection are published, listed and ended', async () => {
  expect(await say('suppress', ...LEAKS, '--reason', 'known', '--by', 'anna')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'Suppressed: rule leaked-ip, namespace shop of cluster berlin-1, until somebody ends it with steward unsuppress.',
    ),
  });
  await say('protect', ...LEAKS, '--reason', 'audited', '--by', 'bob', '--until', '2h');
  const { stdout } = await say('suppressions');
  expect(stdout).toContain(
    'Suppressed: rule leaked-ip, namespace shop\n  why    known\n  by     anna',
  );
  expect(stdout).toContain('Protected: rule leaked-ip, namespace shop\n  why    audited');
  await say('unsuppress', ...LEAKS);
  expect((await say('suppressions')).stdout).not.toContain('Suppressed');
  await say('unprotect', ...LEAKS);
  expect((await say('suppressions')).stdout).toBe('Nothing is suppressed or protected.\n');
});

test('what people wrote reaches no terminal as it is', async () => {
  const hostile = '\u001b[2Jgone\u0007';
  await say('suppress', '--subnet', hostile, '--force', '--wait', '0', '--reason', hostile);
  const { stdout } = await say('suppressions');
  expect(stdout).toContain('gone');
  expect(stdout).not.toMatch(/[\u0007\u001b]/);
});

test.each<[string, string[], RegExp]>([
  ['nothing named', ['suppress', '--reason', 'x'], /Nothing was named/],
  ['no reason', ['protect', '--rule', 'leaked-ip'], /--reason/],
  [
    'a rule there is not',
    ['suppress', '--rule', 'leaked-ips', '--force', '--reason', 'x'],
    /did you mean "leaked-ip"\?/,
  ],
  [
    'a class there is not',
    ['suppress', '--class', 'junk', '--force', '--reason', 'x'],
    /There is no class "junk"/,
  ],
  [
    'an end that is over',
    ['protect', '--rule', 'leaked-ip', '--force', '--reason', 'x', '--until', '2020-01-01T00:00Z'],
    /has passed/,
  ],
])('%s is refused', async (_what, args, why) => {
  expect(await say(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
});
