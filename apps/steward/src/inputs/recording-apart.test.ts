import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steward } from '../testing/cli';
import { RECORDINGS } from '../testing/truth';

const LEAKY = join(RECORDINGS, 'leaky');
/** An object of a kind that is not read, as large as nothing in the recording. */
const ballast = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'ballast', namespace: 'default', uid: 'ballast' },
  data: { é: 'x'.repeat(1 << 20) },
};
const OF_A_THREAD = Array<object>(17).fill(ballast);

type Form = (items: readonly object[]) => string;

const list: Form = (items) =>
  JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } });
const lines: Form = (items) => items.map((it) => `${JSON.stringify(it)}\n`).join('');

let folder = '';
let items: readonly object[] = [];
let counting = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-apart-'));
  items = (JSON.parse(readFileSync(join(LEAKY, 'kubernetes.json'), 'utf8')) as { items: object[] })
    .items;
  // Says how many threads were started.
  counting = join(folder, 'count.cjs');
  writeFileSync(
    counting,
    `const threads = require('node:worker_threads'); let started = 0; const { Worker } = threads;
     threads.Worker = class extends Worker { constructor(...all) { super(...all); started += 1; } };
     require('node:module').syncBuiltinESMExports();
     require('node:os').availableParallelism = () => 2;
     if (threads.isMainThread) process.on('exit', () => process.stderr.write(\`threads: \${started}\\n\`));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  copyFileSync(join(LEAKY, 'listed.json'), join(at, 'listed.json'));
  writeFileSync(join(at, 'kubernetes.json'), text);
  return at;
}

const audit = (kubernetes: string) =>
  steward(
    ['audit', '--ovn-nb', join(LEAKY, 'nb.db'), '--kubernetes', kubernetes, '--output', 'json'],
    { NODE_OPTIONS: `--require ${counting}` },
  );

test.each<[string, Form]>([
  ['a list', list],
  ['an object a line', lines],
])(
  '%s that a thread reads gives the same bytes as one that is read in place',
  async (name, form) => {
    const small = await audit(write(`${name}, small`, form(items)));
    const large = await audit(write(`${name}, large`, form([...items, ...OF_A_THREAD])));
    expect([small.stderr, small.code]).toEqual(['threads: 0\n', 2]);
    expect([large.stderr, large.code]).toEqual(['threads: 1\n', 2]);
    expect(large.stdout).toBe(small.stdout);
  },
);

test('what is wrong with a large file is the same clear sentence', async () => {
  const whole = list([...items, ...OF_A_THREAD]);
  const cut = await audit(write('cut', whole.slice(0, -1000)));
  expect([cut.code, cut.stdout]).toEqual([1, '']);
  expect(cut.stderr).toMatch(
    /^[^\n]*kubernetes\.json ends in the middle of an object[^\n]*\nthreads: 1\n$/,
  );
});
