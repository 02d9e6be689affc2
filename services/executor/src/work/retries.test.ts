import { Failure } from '@ovn-steward/shared/errors';
import { type Retries, retriesOf, type UnsettledAction } from './retries';

const never = new AbortController().signal;
const CLOCK = new Date('2026-05-04T10:00:00Z');

let steady: number;
let reported: { readonly unsettled: UnsettledAction; readonly retryInMs: number }[];
let retries: Retries;
let known: Omit<UnsettledAction, 'id'> | undefined;
beforeEach(() => {
  steady = 0;
  reported = [];
  known = undefined;
  retries = retriesOf({
    clock: () => CLOCK,
    steady: () => steady,
    before: () => known,
    onFailure: (unsettled, _, retryInMs) => void reported.push({ unsettled, retryInMs }),
  });
});
const failing = (error: Error) => (): Promise<never> => Promise.reject(error);
const fails = (id: string, error: Error = new Error('no')): Promise<boolean> =>
  retries.attempt(id, failing(error), never);

test('what fails is due again after a pause that doubles up to half a minute, and says since when', async () => {
  for (let failures = 0; failures < 9; failures += 1) {
    steady += 60_000;
    expect(retries.due(['a', 'b'])).toContain('a');
    expect(await fails('a')).toBe(false);
    expect(retries.due(['a', 'b'])).toEqual(['b']);
    steady += reported.at(-1)!.retryInMs - 1;
    expect(retries.due(['a'])).toEqual([]);
    steady += 1;
    expect(retries.due(['a'])).toEqual(['a']);
  }
  expect(reported.map((it) => it.retryInMs)).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(retries.unsettled()).toEqual([
    {
      id: 'a',
      since: CLOCK.toISOString(),
      failures: 9,
      why: 'no',
      nextTryAt: '2026-05-04T10:00:30.000Z',
    },
  ]);
});

test('what an earlier process found out about it goes on', async () => {
  known = { since: '2026-05-03T10:00:00Z', failures: 6, why: 'no', nextTryAt: '' };
  await fails('a');
  expect(reported).toMatchObject([
    { unsettled: { since: '2026-05-03T10:00:00Z', failures: 7 }, retryInMs: 30_000 },
  ]);
});

test('what succeeds, and what is under way no more, is forgotten', async () => {
  await fails('a');
  await fails('b');
  steady = 60_000;
  expect(await retries.attempt('a', () => Promise.resolve(), never)).toBe(true);
  expect(retries.unsettled().map(({ id }) => id)).toEqual(['b']);
  retries.keep(['a']);
  expect(retries.unsettled()).toEqual([]);
});

test('who was tried longest ago comes first', async () => {
  await fails('a');
  steady = 10;
  await fails('b');
  steady = 60_000;
  expect(retries.due(['b', 'a', 'c'])).toEqual(['c', 'a', 'b']);
});

test.each([
  'fenced',
  'other-cluster',
  'log-unavailable',
  'log-partition-lost',
  'state-corrupt',
] as const)('%s is not of one action alone: it ends the turn', async (code) => {
  const error = new Failure(code, 'x');
  await expect(fails('a', error)).rejects.toBe(error);
  expect(retries.unsettled()).toEqual([]);
});

test('a record that is too large is of its action alone; what ends with the signal is not', async () => {
  expect(await fails('a', new Failure('log-record-refused', 'x'))).toBe(false);
  const error = new Error('aborted');
  await expect(retries.attempt('b', failing(error), AbortSignal.abort())).rejects.toBe(error);
});
