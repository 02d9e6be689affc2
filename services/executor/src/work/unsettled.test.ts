import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { action } from '../testing/actions';
import { CLUSTER } from '../testing/findings';
import { LedgerWriter } from './ledger-writer';
import { recordUnsettled, unsettledIn } from './unsettled';

let now: Date;
let ledger: Ledger;
let reported: ActionRecord[];
const file = openStateFile(':memory:');
afterAll(() => file.close());
beforeEach(() => {
  now = new Date('2026-05-04T10:00:00Z');
  reported = [];
  ledger = new Ledger(file);
});

const comment = (id: string, failures: number): void =>
  recordUnsettled(
    { id, since: '2026-05-04T09:00:00Z', failures, why: `no ${failures}`, nextTryAt: '' },
    new LedgerWriter({
      ledger,
      executor: 'x',
      identity: () => undefined,
      clock: () => now,
      onAction: (it) => reported.push(it),
    }),
    now,
  );
const put = (name: string, more: Partial<ActionRecord> = {}): ActionRecord => {
  const record = action(name, { ...more, cluster: CLUSTER });
  ledger.write([record]);
  return record;
};

test('the first failure is recorded, then each time they doubled, and one each ten minutes; no record is reported', () => {
  const { id } = put('a');
  const recorded = (): number | undefined => ledger.get(id)?.unsettled?.failures;
  for (let failures = 1; failures <= 20; failures += 1) {
    comment(id, failures);
    expect(recorded()).toBe(2 ** Math.floor(Math.log2(failures)));
  }
  now = new Date(now.getTime() + 11 * 60_000);
  comment(id, 21);
  expect(recorded()).toBe(21);
  expect(unsettledIn(ledger, CLUSTER)).toMatchObject([
    { id, state: 'claimed', undo: expect.any(Object), unsettled: { why: 'no 21' } },
  ]);
  expect(reported).toEqual([]);
});

test.each<[what: string, more: Partial<ActionRecord>, isRecorded: boolean]>([
  ['that waits for its finalizers', { state: 'terminating', code: 'terminating' }, true],
  ['that does not go', { state: 'failed', code: 'not-finished' }, true],
  ['that is to be put back for its owner', { state: 'done', code: 'racing' }, true],
  ['that is done', { state: 'done', code: 'done' }, false],
  ['that was put off', { state: 'deferred', code: 'unsent' }, false],
  ['that was given up', { state: 'failed', code: 'given-up' }, false],
])('of one %s', (what, more, isRecorded) => {
  const { id, revision } = put(what, more);
  comment(id, 1);
  expect(unsettledIn(ledger, CLUSTER).some((it) => it.id === id)).toBe(isRecorded);
  expect(ledger.get(id)!.revision).toBe(isRecorded ? revision + 1 : revision);
});
