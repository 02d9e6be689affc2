import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SharedStrings } from './shared-strings';

const NAME = 'kube-ovn/of-one-and-the-same-switch';
const parsed = () => JSON.parse(`{"a":"${NAME}","b":["${NAME}",{"c":"${NAME}"}]}`) as object;

/** What is alive, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** Bytes of so many values, each of them of JSON of its own. */
function bytesOf(make: () => unknown): number {
  const values: unknown[] = new Array(20_000).fill(undefined);
  const before = heapUsed();
  for (let at = 0; at < values.length; at++) values[at] = make();
  const bytes = heapUsed() - before;
  expect(values.at(-1)).toEqual(parsed());
  return bytes;
}

test('equal strings in values of JSON take the memory of one', () => {
  const strings = new SharedStrings();
  const apart = bytesOf(parsed);
  const shared = bytesOf(() => strings.in(parsed()));
  // Three of 48 bytes each went.
  expect((apart - shared) / 20_000).toBeGreaterThan(100);
});

test('what a value says stays as it is, also of what is frozen, long, empty or not text', () => {
  const strings = new SharedStrings();
  const value = { text: 'a', none: null, list: [1, 'a', ['b', true]], long: 'x'.repeat(1000) };
  const frozen = Object.freeze({ text: 'a', list: ['a'] });
  expect(strings.in(structuredClone(value))).toEqual(value);
  expect(strings.in(frozen)).toEqual({ text: 'a', list: ['a'] });
  expect([strings.in('a'), strings.in(null), strings.in(undefined), strings.in(0)]).toEqual([
    'a',
    null,
    undefined,
    0,
  ]);
});

test('many different strings do not stay', () => {
  const strings = new SharedStrings();
  const before = heapUsed();
  for (let at = 0; at < 300_000; at++) strings.of(`name-${at}-${'x'.repeat(40)}`);
  expect(heapUsed() - before).toBeLessThan(10_000_000);
  expect(strings.of('name')).toBe('name');
});
