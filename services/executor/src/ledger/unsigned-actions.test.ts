import { type ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { trusting } from '@ovn-steward/shared/signing/testing/keys';
import type { Ledger } from './ledger';
import { openLedgerBed } from '../testing/ledger-bed';
import { action } from '../testing/actions';
import { NOW, PARTITION } from '../testing/findings';
import { EXECUTOR } from '../testing/signing';
import { catchUpLedger } from './catch-up';
import { createPublisher } from './publish';

const SIGNAL = new AbortController().signal;
const clock = (): Date => NOW;
const now = (): number => NOW.getTime();
let bare: Log;
let ledger: Ledger;
let refused: string[];

beforeEach(async () => {
  ({ log: bare, ledger } = await openLedgerBed());
  refused = [];
});
afterEach(() => bare.close());

const KEYS = { key: EXECUTOR.key, trusted: () => trusting(EXECUTOR) };
/**
 * As an executor sees it that asks for no signature: without keys of its own, unless they are
 * given.
 */
const log = (keys: Partial<typeof KEYS> = {}): Log =>
  signedLog(bare, { ...keys, required: false, now });
const options = (keys: Partial<typeof KEYS> = {}) => ({
  log: log(keys),
  ledger,
  clock,
  onRefused: (it: string) => void refused.push(it),
});
const caughtUp = (keys: Partial<typeof KEYS> = {}) =>
  catchUpLedger({ ...options(keys), partition: PARTITION, signal: SIGNAL });
const publish = (keys: Partial<typeof KEYS> = {}): Promise<void> =>
  createPublisher(options(keys)).publishNow(PARTITION, SIGNAL);
const written = async (from: Log, ...records: readonly ActionRecord[]): Promise<void> => {
  await from.append(
    ACTIONS,
    PARTITION,
    records.map((it): NewRecord => ({ key: it.id, value: JSON.stringify(it), timestamp: now() })),
  );
};
const inLog = async (): Promise<readonly ActionRecord[]> =>
  (await bare.read(ACTIONS, PARTITION, 0n, 100)).records.map(
    (it) => JSON.parse(String(it.value)) as ActionRecord,
  );
const { id } = action('p');

test.each([
  ['without keys', {}],
  ['with keys', KEYS],
])('an unsigned action nobody here knows is kept and unproven, %s', async (_, keys) => {
  await written(bare, action('p', { state: 'done', code: 'racing' }));
  expect(await caughtUp(keys)).toMatchObject({ news: 1, refused: 0 });
  expect([ledger.get(id)?.state, ledger.isUnproven(id)]).toEqual(['done', true]);
});

test('what a trusted executor signed is proven, also over what nobody signed in a greater revision', async () => {
  await written(bare, action('p', { revision: 9, state: 'done' }));
  await written(log(KEYS), action('p'));
  await caughtUp(KEYS);
  expect([ledger.get(id), ledger.isUnproven(id)]).toEqual([action('p'), false]);
});

test('on the embedded log nothing is unproven', async () => {
  await written(bare, action('p'));
  await catchUpLedger({ ...options(), log: bare, partition: PARTITION, signal: SIGNAL });
  expect(ledger.isUnproven(id)).toBe(false);
});

test.each(ActionState.options.filter((it) => it !== 'undone'))(
  'an unsigned record, %s, does not replace a claim of ours, is counted, and ours is published again over it',
  async (state) => {
    ledger.write([action('p')]);
    await publish();
    await written(bare, action('p', { revision: 7, state }));
    expect(await caughtUp()).toMatchObject({ news: 0, refused: 1 });
    expect([ledger.get(id), ledger.isUnproven(id), refused]).toEqual([
      action('p'),
      false,
      ['unsigned'],
    ]);
    await publish();
    expect((await inLog()).at(-1)).toEqual(action('p'));
  },
);

test('an unsigned tombstone forgets nothing that was done from here', async () => {
  const done = action('p', { revision: 2, state: 'done' });
  ledger.write([action('p'), done]);
  await publish();
  await bare.append(ACTIONS, PARTITION, [{ key: id, value: null, timestamp: now() }]);
  expect(await caughtUp()).toMatchObject({ refused: 1 });
  expect(ledger.get(id)).toEqual(done);
});

test('that a thing was put back is respected from anybody: it only keeps it from being removed again', async () => {
  ledger.write([action('p'), action('p', { revision: 2, state: 'done' })]);
  await publish();
  await written(bare, action('p', { revision: 3, state: 'undone' }));
  await caughtUp();
  expect([ledger.get(id)?.state, ledger.isUnproven(id)]).toEqual(['undone', true]);
});

test('a claim of ours that came second was never acted on, whoever came first', async () => {
  const other = action('p', { executor: 'executor-b' });
  await caughtUp();
  ledger.write([action('p')]);
  await written(bare, other);
  await expect(publish()).rejects.toMatchObject({ code: 'log-partition-lost' });
  expect([ledger.get(id), ledger.isUnproven(id)]).toEqual([other, true]);
});

test('what is unproven is never published again under our signature', async () => {
  await written(
    bare,
    action('p', { revision: 2, state: 'done' }),
    action('p', { state: 'done', code: 'racing' }),
  );
  await bare.append(ACTIONS, PARTITION, [{ key: id, value: 'no action', timestamp: now() }]);
  await caughtUp(KEYS);
  expect(ledger.unpublished()).toBe(0);
  ledger.restart(PARTITION);
  expect([ledger.isUnproven(id), ledger.unpublished()]).toEqual([true, 0]);
});

test('what is decided here about what only waited is ours', async () => {
  await written(bare, action('p', { state: 'deferred', undo: null }));
  await caughtUp();
  ledger.write([action('p', { revision: 2 })]);
  expect(ledger.isUnproven(id)).toBe(false);
});

test('what nobody signed is not proven by saying it twice', async () => {
  const record = action('p', { state: 'done', code: 'done' });
  await written(bare, record, record);
  await caughtUp(KEYS);
  expect(ledger.isUnproven(id)).toBe(true);
});
