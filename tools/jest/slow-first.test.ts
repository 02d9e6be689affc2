import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const SlowFirst = createRequire(__filename)('./slow-first.cjs') as {
  readonly SLOW: readonly string[];
  new (options: object): { sort(tests: readonly object[]): { readonly path: string }[] };
};

test('what is to be begun first is there, under that name', () => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' });
  const found = (name: string): number =>
    files.split('\n').filter((it) => `/${it}`.endsWith(`/${name}`)).length;
  expect(SlowFirst.SLOW.filter((it) => found(it) !== 1)).toEqual([]);
});

test('it comes first, in that order, and all others after it', () => {
  const [one, two] = SlowFirst.SLOW;
  const config = { id: 'x', cacheDirectory: '/nonexistent' };
  const context = { config, hasteFS: { getSize: () => 1 } };
  const tests = ['a/other.test.ts', `a/${two}`, `a/${one}`].map((path) => ({ path, context }));
  const sorted = new SlowFirst({ contexts: [], globalConfig: {} }).sort(tests);
  expect(sorted.map(({ path }) => path)).toEqual([`a/${one}`, `a/${two}`, 'a/other.test.ts']);
});
