import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { type LimitsJudge, judgeLimits } from './limits';
import type { Limited, LimitedNow } from './moments';

const NOON = Date.parse('2026-05-04T12:00:00Z');
const HOUR_MS = 3_600_000;

let judge: LimitsJudge;
let made = 0;
beforeEach(() => (judge = judgeLimits()));

const limited = (executor: object = {}, started = 0): Limited => ({
  settings: Settings.parse({
    executor: { rate: { perSecond: 10_000, burst: 10_000 }, ...executor },
  }).executor,
  started: { wall: NOON, steady: 0, decisions: 0, removals: started },
  turn: () => ({ wall: NOON, steady: 0, decisions: 0 }),
  placed: () => undefined,
  leaseMovedAt: () => undefined,
  northboundMovedAt: () => undefined,
});
const now = (of: Limited, wall = NOON, more: Partial<LimitedNow> = {}): LimitedNow => ({
  of,
  turn: { wall, steady: 1000, decisions: 0 },
  placed: { wall, steady: 1000, decisions: 0 },
  leaseMovedAt: undefined,
  northboundMovedAt: undefined,
  steady: 1000,
  ...more,
});
/** Claimed and sent by it at that moment. */
const removed = (
  of: Limited,
  wall = NOON,
  {
    rule = 'r',
    overCeilings = false,
    ...more
  }: Partial<LimitedNow> & {
    readonly rule?: string;
    readonly overCeilings?: boolean;
  } = {},
): string | undefined => {
  const action = { id: `a-${(made += 1)}`, rule } as ActionRecord;
  judge.claimed(action, of, wall);
  return judge.removed(action, now(of, wall, more), overCeilings);
};

test.each<[string, object, string | undefined]>([
  ['within its window', { windows: ['11:00-13:00'] }, undefined],
  ['within one beyond midnight', { windows: ['22:00-12:30'] }, undefined],
  ['outside its window', { windows: ['13:00-14:00'] }, 'outside every window'],
  ['in a freeze', { freezes: ['2026-05-04T11:00Z/2026-05-04T13:00Z'] }, 'in a freeze'],
  ['before a freeze', { freezes: ['2026-05-04T12:01Z/2026-05-04T13:00Z'] }, undefined],
  [
    'decided right before a freeze',
    { freezes: ['2026-05-04T12:00Z/2026-05-04T13:00Z'] },
    undefined,
  ],
])('a removal %s', (_, executor, why) => {
  expect(removed(limited(executor))).toEqual(why && expect.stringContaining(why));
});

test('more within an hour than a ceiling allows, of the cluster and of a rule', () => {
  const of = limited({
    ceilings: {
      cluster: { least: 3, share: 0, most: 3 },
      rule: { least: 2, share: 0, most: 2 },
    },
  });
  expect([removed(of), removed(of), removed(of)]).toEqual([
    undefined,
    undefined,
    expect.stringContaining('rule r'),
  ]);
  expect(removed(of, NOON, { rule: 'other' })).toContain('number 4');
  expect(removed(of, NOON, { rule: 'other', overCeilings: true })).toBeUndefined();
  expect(removed(of, NOON + HOUR_MS + 1, { rule: 'other' })).toBeUndefined();
});

test('what another removed counts for who began to read after it, and for nobody else', () => {
  const ceilings = { cluster: { least: 1, share: 0, most: 1 } };
  expect(removed(limited({ ceilings }))).toBeUndefined();
  expect(removed(limited({ ceilings }, 0))).toBeUndefined();
  expect(removed(limited({ ceilings }, 2))).toContain('number 3');
});

test('of what was decided with a place of an earlier turn nothing is said', () => {
  const of = limited({ freezes: ['2026-05-04T11:00Z/2026-05-04T13:00Z'] });
  const turn = { wall: NOON, steady: 2000, decisions: 0 };
  expect(removed(of, NOON, { turn })).toBeUndefined();
  expect(removed(of)).toContain('in a freeze');
});

test('faster than the rate, and without a place in it', () => {
  const of = limited({ rate: { perSecond: 1, burst: 1 } });
  expect([removed(of), removed(of), removed(of)]).toEqual([
    undefined,
    undefined,
    'it was sent faster than the rate',
  ]);
  expect(removed(of, NOON, { steady: 5000 })).toBeUndefined();
  expect(removed(limited(), NOON, { placed: undefined })).toContain('no place');
});

test.each<[string, number, number, boolean]>([
  ['a minute after another controller was seen to lead', 60_000, 0, true],
  ['an hour after', HOUR_MS, 0, false],
  ['seen only after it was decided', 60_000, 2000, false],
])('%s', (_, since, steady, isTooSoon) => {
  const leaseMovedAt = { wall: NOON - since, steady };
  const why = removed(limited({ yield: { afterLease: '10m' } }), NOON, { leaseMovedAt });
  expect(why !== undefined).toBe(isTooSoon);
});

describe('what somebody else took', () => {
  const yields = { yield: { taken: 2, afterTaken: '6m' } };
  let clock: jest.SpyInstance;
  beforeEach(() => (clock = jest.spyOn(performance, 'now').mockReturnValue(10)));
  afterEach(() => clock.mockRestore());
  const gone = (of: Limited, wall: number, before?: string): void =>
    judge.recorded(
      { state: 'refused', code: 'gone' } as ActionRecord,
      before === undefined ? undefined : ({ state: before } as ActionRecord),
      of,
      wall,
    );

  test('two things found gone in a row, and one removed before six minutes are over', () => {
    const of = limited(yields);
    gone(of, NOON - 60_000);
    expect(removed(of)).toBeUndefined();
    gone(of, NOON - 30_000);
    expect(removed(of)).toMatch(/found gone in a row/);
    expect(removed(of, NOON + 5 * 60_000)).toMatch(/found gone in a row/);
    expect(removed(of, NOON + 6 * 60_000)).toBeUndefined();
  });

  test.each<[string, (of: Limited) => void]>([
    [
      'that were long apart',
      (of) => {
        gone(of, NOON - 500_000);
        return gone(of, NOON);
      },
    ],
    [
      'of which one was a claim',
      (of) => {
        gone(of, NOON);
        return gone(of, NOON, 'claimed');
      },
    ],
    [
      'with a removal between them',
      (of) => {
        gone(of, NOON);
        judge.recorded({ state: 'done', code: 'done' } as ActionRecord, undefined, of, NOON);
        gone(of, NOON);
      },
    ],
    [
      'that another process found',
      () => {
        gone(limited(yields), NOON);
        return gone(limited(yields), NOON);
      },
    ],
    [
      'since the turn began',
      (of) => {
        clock.mockReturnValue(2000);
        gone(of, NOON);
        return gone(of, NOON);
      },
    ],
  ])('two things %s keep nothing back', (_, happens) => {
    const of = limited(yields);
    happens(of);
    expect(removed(of)).toBeUndefined();
  });
});

test('nothing is removed within a minute after the Northbound was reached again', () => {
  const at = { northboundMovedAt: { wall: NOON, steady: 500 } };
  expect(removed(limited(), NOON + 59_999, at)).toMatch(/reached again/);
  expect(removed(limited(), NOON + 60_000, at)).toBeUndefined();
});
