import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SharedValues } from './shared-values';

const NAME = 'kube-ovn/of-one-and-the-same-switch';
/** JSON has a string of its own wherever one stands; later versions of Node share some themselves. */
const name = () => Buffer.from(NAME).toString('latin1');
const parsed = () => ({ a: name(), b: [name(), { c: name() }] });

/** What is alive, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** So many that what else is alive, some 300 kB more or less of compiled code, is one byte of each. */
const MADE = 300_000;

/** Bytes of each of so many values, all of them of JSON of their own. */
function bytesOf(make: (at: number) => unknown): number {
  const made: unknown[] = new Array(MADE).fill(undefined);
  const before = heapUsed();
  for (let at = 0; at < made.length; at++) made[at] = make(at);
  const bytes = heapUsed() - before;
  expect(made.at(-1)).toEqual(make(made.length - 1));
  return bytes / MADE;
}

test('equal strings in values of JSON take the memory of one', () => {
  const values = new SharedValues();
  const apart = bytesOf(parsed);
  const shared = bytesOf(() => values.in(parsed()));
  // Three of 48 bytes each went.
  expect(apart - shared).toBeGreaterThan(100);
});

test('names that differ in one place alone, wherever it is, do not push each other out', () => {
  const pod = (at: number) =>
    Buffer.from(`web-6d4cf56db6-${String(at % 2000).padStart(6, '0')}.of-a-namespace`).toString();
  const values = new SharedValues();
  const apart = bytesOf(pod);
  const shared = bytesOf((at) => values.of(pod(at)));
  // Most of 56 bytes each, but for the first 2,000 and those that have one place with another.
  expect(apart - shared).toBeGreaterThan(40);
});

test('equal lists and objects of a few strings are one', () => {
  const values = new SharedValues();
  const port = (name: string) =>
    values.in({
      name,
      none: [] as unknown[],
      parents: [{ column: 'ports', uid: '1' }],
      labels: { app: 'web', tier: 'front' },
      metadata: { uid: '2', labels: { app: 'web', tier: 'front' } },
    });
  const one = port('a');
  const other = port('b');
  expect(other).toEqual({ ...one, name: 'b' });
  expect(other.none).toBe(one.none);
  expect(other.parents).toBe(one.parents);
  expect(other.labels).toBe(one.labels);
  expect(other.metadata.labels).toBe(one.labels);
  expect(other.metadata).not.toBe(one.metadata);
});

test.each<[string, unknown, unknown]>([
  ['members in another order', { a: '1', b: '1' }, { b: '1', a: '1' }],
  ['other names', { a: '1', b: '2' }, { a: '1', c: '2' }],
  ['other values', { a: '1', b: true }, { a: '1', b: false }],
  ['a number for its text', ['1', 2], ['1', '2']],
  ['a list for an object', { 0: '1' }, ['1']],
  ['a member more', { a: '1' }, { a: '1', b: '' }],
  ['a member without a value', { a: '1', b: null }, { a: '1', b: '' }],
  ['a prototype for a member', JSON.parse('{"__proto__":{"a":"1"}}'), { a: '1' }],
])('with %s they are two', (_, one, other) => {
  const values = new SharedValues();
  const before = JSON.stringify([one, other]);
  const both = values.in([{ of: one }, { of: other }]);
  expect(JSON.stringify(both.map(({ of }) => of))).toBe(before);
  expect(both[1]!.of).not.toBe(both[0]!.of);
});

test('what a value says stays as it is, also of what is frozen, long, empty or not text', () => {
  const values = new SharedValues();
  const value = { text: 'a', none: null, list: [1, 'a', ['b', true]], long: 'x'.repeat(1000) };
  const frozen = Object.freeze({ text: 'a', list: ['a'] });
  expect(values.in(structuredClone(value))).toEqual(value);
  expect(values.in(frozen)).toEqual({ text: 'a', list: ['a'] });
  expect([values.in('a'), values.in(null), values.in(undefined), values.in(0)]).toEqual([
    'a',
    null,
    undefined,
    0,
  ]);
});

test('many different strings do not stay', () => {
  const values = new SharedValues();
  const before = heapUsed();
  for (let at = 0; at < 300_000; at++) values.of(`name-${at}-${'x'.repeat(40)}`);
  expect(heapUsed() - before).toBeLessThan(10_000_000);
  expect(values.of('name')).toBe('name');
});
