import { createMeter } from '@ovn-steward/service/meter/meter';
import { EXECUTOR_SERVICE_METRICS } from './metrics';
import { action } from '../testing/actions';
import type { UnsettledClaim } from './unsettled-view';
import { countExecutor, type ExecutorActivity, type ExecutorReading } from './count-executor';

/** The series after each of these, without their prefix. */
async function counted(
  news: readonly ExecutorActivity[],
  reading?: ExecutorReading,
  now?: () => number,
): Promise<string[]> {
  const meter = createMeter(EXECUTOR_SERVICE_METRICS);
  news.forEach(countExecutor(meter, () => reading, now));
  return (await meter.text())
    .split('\n')
    .filter((it) => it.startsWith('steward_'))
    .map((it) => it.replace(/^steward_(executor_)?/, ''));
}

test.each<[title: string, news: readonly ExecutorActivity[], expected: readonly string[]]>([
  [
    'records that were read',
    [
      {
        type: 'batch',
        partition: 0,
        first: 0n,
        last: 9n,
        records: 9,
        deadLetters: 1,
        newer: 2,
        seconds: 1,
        proposed: [],
        withdrawn: [],
      },
    ],
    ['records_total 9', 'newer_records_total 2', 'dead_letters_total 1'],
  ],
  [
    'decisions, by what became of them',
    [
      {
        type: 'action',
        action: action('p', { state: 'refused', code: 'gone', rule: 'r', action: 'delete-ip' }),
      },
    ],
    ['actions_total{rule="r",action="delete-ip",state="refused",code="gone"} 1'],
  ],
  [
    'how long a removal took',
    [
      {
        type: 'action',
        action: action('p', {
          state: 'done',
          action: 'delete-ip',
          claimedAt: '2026-01-01T00:00:00Z',
          endedAt: '2026-01-01T00:00:03Z',
        }),
      },
    ],
    ['effect_duration_seconds_sum{action="delete-ip"} 3'],
  ],
  [
    'no time less than none, where another machine settled it whose clock is behind',
    [
      {
        type: 'action',
        action: action('p', {
          state: 'done',
          action: 'delete-ip',
          claimedAt: '2026-01-01T00:00:03Z',
          endedAt: '2026-01-01T00:00:00Z',
        }),
      },
    ],
    ['effect_duration_seconds_sum{action="delete-ip"} 0'],
  ],
  [
    'what was put back',
    [{ type: 'action', action: action('p', { state: 'undone', code: 'raced' }) }],
    ['undos_total{code="raced"} 1'],
  ],
  [
    'what was left to others',
    [{ type: 'action', action: action('p', { state: 'deferred', code: 'yield', rule: 'r' }) }],
    ['yielded_total{rule="r"} 1'],
  ],
  [
    'plans given up',
    [{ type: 'aborted', plan: { scope: { of: 'vpc' } } as never }],
    ['aborted_plans_total{scope="vpc"} 1'],
  ],
  [
    'failures of reading and of acting',
    [
      { type: 'read-failed', error: 'x', retryInMs: 1 },
      { type: 'failed', error: 'x', retryInMs: 1 },
    ],
    ['failures_total 2'],
  ],
  [
    'when the newest backup was taken, and those that failed',
    [
      { type: 'backup-newest', takenAt: new Date('2026-01-01T00:00:00Z') },
      { type: 'backup-taken', path: 'p', removed: 0 },
      { type: 'backup-failed', error: 'full' },
    ],
    ['backup_last_success_timestamp_seconds 1767225600', 'backup_failures_total 1'],
  ],
  [
    'what the guards do',
    [{ type: 'guarded', vpc: 'a', did: 'add' }],
    ['guard_finalizers_total{did="add"} 1'],
  ],
  [
    'and nothing else',
    [
      { type: 'assigned', partition: 0, from: 0n },
      { type: 'turn', items: 1, performed: 1, unsettled: [] },
    ],
    ['records_total 0', 'failures_total 0'],
  ],
])('%s', async (_, news, expected) => {
  const all = await counted(news);
  expect(all).toEqual(expect.arrayContaining(expected));
});

const HOLD = {
  scope: { rule: 'leaked-ip' },
  except: [],
  reason: 'maintenance',
  by: 'anna',
  since: '2030-01-01T00:00:00Z',
  until: null,
  heardBy: [],
};

/** Since so many seconds before the year 2030. */
const stuck = (seconds: number): UnsettledClaim => ({
  id: 'a',
  rule: 'r',
  action: 'delete-ip',
  target: 'IP a',
  state: 'claimed',
  code: 'claimed',
  claimedAt: null,
  since: new Date(Date.UTC(2030) - seconds * 1000).toISOString(),
  failures: 1,
  why: 'no',
  nextTryAt: '',
});

test('the age is that of the oldest that is not settled, and zero where there is none', async () => {
  const reading = {
    proposals: () => [],
    openClaims: () => 0,
    unpublished: () => 0,
    unsettled: () => [stuck(60), stuck(10)],
    holds: () => [],
    kept: () => [],
  };
  expect(await counted([], reading, () => Date.UTC(2030))).toContain(
    'unsettled_claim_age_seconds 60',
  );
  expect(await counted([])).toContain('unsettled_claim_age_seconds 0');
});

test('what it has is asked at the scrape; while nobody is to be asked, there is none', async () => {
  expect(
    await counted([], {
      proposals: () => [{ cluster: 'c', rule: 'r', count: 5 }],
      openClaims: () => 2,
      unsettled: () => [stuck(60), stuck(10)],
      unpublished: () => 7,
      holds: () => [
        HOLD,
        { ...HOLD, scope: { rule: 'r', subnet: 's' } },
        { ...HOLD, scope: { vpc: 'v', subnet: 's' } },
      ],
      kept: () => [{ kind: 'protect', selector: {}, reason: '', by: 'anna', at: '', until: null }],
    }),
  ).toEqual(
    expect.arrayContaining([
      'proposals{cluster="c",rule="r"} 5',
      'open_claims 2',
      'outbox 7',
      'unsettled_claims 2',
      'holds{scope="cluster"} 0',
      'holds{scope="rule"} 1',
      'holds{scope="several"} 2',
      'kept{kind="protect"} 1',
      'kept{kind="suppress"} 0',
    ]),
  );
  expect(await counted([])).toEqual(
    expect.arrayContaining(['open_claims 0', 'outbox 0', 'holds{scope="rule"} 0']),
  );
});
