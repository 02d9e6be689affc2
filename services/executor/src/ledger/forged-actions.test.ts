import { ActionState, type ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { ACTIONS, CONTROL, DEAD_LETTER } from '@ovn-steward/shared/log/topics';
import type { KeyHolder } from '@ovn-steward/shared/signing/testing/keys';
import { SIGNATURE_HEADER } from '@ovn-steward/shared/signing/signature-header';
import { signatureFor } from '@ovn-steward/shared/signing/signing-key';
import type { Ledger } from './ledger';
import { openLedgerBed } from '../testing/ledger-bed';
import { action } from '../testing/actions';
import { CLUSTER, NOW, PARTITION } from '../testing/findings';
import { ANNA, EXECUTOR, logOf, MALLORY } from '../testing/signing';
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

const log = (holder: KeyHolder = EXECUTOR): Log => logOf(bare, holder, now);
const onRefused = (it: string): void => void refused.push(it);
const options = () => ({ log: log(), ledger, clock, onRefused });
const caughtUp = () => catchUpLedger({ ...options(), partition: PARTITION, signal: SIGNAL });
const recordOf = (forged: ActionRecord): NewRecord => ({
  key: forged.id,
  value: JSON.stringify(forged),
  timestamp: now(),
});
const letters = async (): Promise<number> =>
  (await bare.read(DEAD_LETTER, PARTITION, 0n, 100)).records.length;
/** As a thief of one signature has it: signed for another place. */
const signedFor = (record: NewRecord, topic: string, partition = PARTITION): NewRecord => ({
  ...record,
  headers: {
    [SIGNATURE_HEADER]: signatureFor({ ...record, topic, partition }, EXECUTOR.key, now()),
  },
});

test.each(
  ActionState.options.flatMap((state) =>
    ['racing', 'putting-back', state].map((code) => [state, code]),
  ),
)('a forged record, %s with code %s, is not in the ledger', async (state, code) => {
  const forged = recordOf(action('p', { state: state as ActionRecord['state'], code }));
  await bare.append(ACTIONS, PARTITION, [forged]);
  await log(MALLORY).append(ACTIONS, PARTITION, [forged]);
  await log(ANNA).append(ACTIONS, PARTITION, [forged]);
  expect(await caughtUp()).toMatchObject({ records: 3, news: 0, poison: 3 });
  expect(refused).toEqual(['unsigned', 'unknown-key', 'role']);
  expect([ledger.list(), ledger.open(CLUSTER), await letters()]).toEqual([[], [], 3]);
});

test('a signature from elsewhere is of no use', async () => {
  const record = recordOf(action('p'));
  const other = recordOf(action('q'));
  await bare.append(ACTIONS, PARTITION, [
    signedFor(record, CONTROL),
    signedFor(record, ACTIONS, PARTITION + 1),
    { ...signedFor(other, ACTIONS), key: record.key, value: record.value },
    { ...signedFor(record, ACTIONS), value: null },
  ]);
  await caughtUp();
  expect(refused).toEqual(Array(4).fill('wrong-signature'));
  expect(ledger.list()).toEqual([]);
});

test('what another executor signed more than an hour from now stops this one until the clocks agree', async () => {
  const ahead = now() + 2 * 3_600_000;
  const theirs = { ...action('p'), executor: 'executor-2' };
  await logOf(bare, EXECUTOR, () => ahead).append(ACTIONS, PARTITION, [
    { ...recordOf(theirs), timestamp: now() },
  ]);
  await expect(caughtUp()).rejects.toMatchObject({
    code: 'log-unavailable',
    message: expect.stringMatching(/\/0 is signed with a trusted key.*set the clock of executor-1/),
  });
  expect([refused, ledger.list(), await letters()]).toEqual([['clock'], [], 0]);
  const later = { ...options(), log: logOf(bare, EXECUTOR, () => ahead - 1000) };
  await catchUpLedger({ ...later, partition: PARTITION, signal: SIGNAL });
  expect(ledger.list()).toEqual([theirs]);
});

test('what another executor signed is taken up; what he signed long ago moves nothing', async () => {
  const claimed = action('p');
  const done = action('p', { revision: 2, state: 'done' });
  const { first } = await log().append(ACTIONS, PARTITION, [recordOf(claimed)]);
  await log().append(ACTIONS, PARTITION, [recordOf(done)]);
  await caughtUp();
  expect(ledger.list()).toEqual([done]);
  const [old] = (await bare.read(ACTIONS, PARTITION, first, 1)).records;
  await bare.append(ACTIONS, PARTITION, [
    { key: old!.key, value: old!.value, headers: old!.headers, timestamp: now() },
  ]);
  expect(await caughtUp()).toMatchObject({ records: 1, news: 0 });
  expect([ledger.list(), ledger.open(CLUSTER)]).toEqual([[done], []]);
});

test.each([
  ['another record', recordOf(action('p', { revision: 7, state: 'done', code: 'racing' }))],
  ['a tombstone', { ...recordOf(action('p')), value: null }],
  ['nonsense', { ...recordOf(action('p')), value: 'no action' }],
])(
  '%s over what stands is not respected, and what stands is published over it once',
  async (_, forged) => {
    const publisher = createPublisher(options());
    ledger.write([action('p')]);
    await publisher.publishNow(PARTITION, SIGNAL);
    await bare.append(ACTIONS, PARTITION, [forged, forged]);
    await catchUpLedger({ ...options(), partition: PARTITION, signal: SIGNAL });
    expect([ledger.list(), refused]).toEqual([[action('p')], ['unsigned', 'unsigned']]);
    await publisher.publishNow(PARTITION, SIGNAL);
    const { records } = await log().read(ACTIONS, PARTITION, 0n, 100);
    expect(records).toHaveLength(4);
    expect(records.at(-1)).toMatchObject({ origin: { is: 'proven', by: { name: 'executor-1' } } });
    expect(JSON.parse(String(records.at(-1)!.value))).toEqual(action('p'));
    await catchUpLedger({ ...options(), partition: PARTITION, signal: SIGNAL });
    expect([ledger.unpublished(), refused.length]).toEqual([0, 2]);
  },
);

test('what is forged while nothing is to be published is noticed all the same', async () => {
  const publisher = createPublisher(options());
  ledger.write([action('p')]);
  await caughtUp();
  await bare.append(ACTIONS, PARTITION, [recordOf(action('q', { state: 'done' }))]);
  await publisher.publishNow(PARTITION, SIGNAL);
  const idle = createPublisher(options());
  await bare.append(ACTIONS, PARTITION, [recordOf(action('r', { state: 'done' }))]);
  await idle.publishNow(PARTITION, SIGNAL);
  expect([refused, ledger.list(), await letters()]).toEqual([
    ['unsigned', 'unsigned'],
    [action('p')],
    2,
  ]);
});
