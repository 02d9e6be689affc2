import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import type { Ledger } from './ledger';
import { openLedgerBed } from '../testing/ledger-bed';
import { action, decision } from '../testing/actions';
import { NOW, PARTITION } from '../testing/findings';
import { fitsTopic } from './action-record';
import { createPublisher } from './publish';

const MIB = 1_048_576;
const SIGNAL = new AbortController().signal;
const clock = (): Date => NOW;
let log: Log;
let ledger: Ledger;

beforeEach(async () => {
  ({ log, ledger } = await openLedgerBed());
});
afterEach(() => log.close());

const publishing = (
  append: Log['append'] = (topic, partition, records) => log.append(topic, partition, records),
) =>
  createPublisher({
    ledger,
    clock,
    log: {
      ensureTopics: () => Promise.resolve([]),
      append,
      read: (...it) => log.read(...it),
      consume: (it) => log.consume(it),
      commit: (...it) => log.commit(...it),
      committed: (it) => log.committed(it),
      watermarks: (...it) => log.watermarks(...it),
      close: () => log.close(),
    },
  });
const written = async (): Promise<ActionRecord[]> =>
  (await log.read(ACTIONS, PARTITION, 0n, 1000)).records.map(({ key, value }) => {
    const record = JSON.parse(String(value)) as ActionRecord;
    expect(key).toBe(record.id);
    return record;
  });
const IDLE = { state: 'deferred', undo: null } as const;

test('what was written is in the log, in order, when it settles', async () => {
  const records = [action('a'), action('b'), action('a', { revision: 2, state: 'done' })];
  ledger.write(records);
  const publisher = publishing();
  await publisher.publishNow(PARTITION, SIGNAL);
  expect(await written()).toEqual(records);
  expect([ledger.unpublished(), ledger.position(PARTITION)]).toEqual([
    0,
    (await log.watermarks(ACTIONS, PARTITION)).high,
  ]);
  await publisher.publishNow(PARTITION, SIGNAL);
  expect(await written()).toHaveLength(3);
});

test('calls at once send each record once, and each settles after what was written before it', async () => {
  const publisher = publishing();
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      ledger.write([action(`p${n}`)]);
      await publisher.publishNow(PARTITION, SIGNAL);
      expect((await written()).some((it) => it.target.name === `p${n}`)).toBe(true);
    }),
  );
  expect(await written()).toHaveLength(20);
});

test('calls that wait for the same turn have one', async () => {
  let appends = 0;
  const publisher = publishing(async (topic, partition, records) => {
    appends += 1;
    return log.append(topic, partition, records);
  });
  ledger.write([action('a')]);
  const under = publisher.publishNow(PARTITION, SIGNAL);
  await Promise.resolve();
  ledger.write([action('b')]);
  const one = publisher.publishNow(PARTITION, SIGNAL);
  const two = publisher.publishNow(PARTITION, SIGNAL);
  ledger.write([action('c')]);
  const other = publisher.publishNow(PARTITION, new AbortController().signal);
  expect(one).toBe(two);
  expect(other).not.toBe(one);
  await Promise.all([under, one, other]);
  expect(await written()).toEqual(['a', 'b', 'c'].map((it) => action(it)));
  expect(appends).toBeLessThan(4);
});

test('much is sent in pieces the topic takes', async () => {
  const records = Array.from({ length: 600 }, (_, n) =>
    action(`p${n}`, { ...IDLE, reason: 'x'.repeat(n % 100 === 0 ? 5 * MIB : 2000) }),
  );
  ledger.write(records);
  await publishing().publishNow(PARTITION, SIGNAL);
  const names: string[] = [];
  for (let from = 0n; names.length < 600;) {
    const batch = await log.read(ACTIONS, PARTITION, from, 1000);
    names.push(
      ...batch.records.map(({ value }) => (JSON.parse(String(value)) as ActionRecord).target.name),
    );
    from = batch.next;
  }
  expect(names).toEqual(records.map((it) => it.target.name));
});

test.each([true, false])(
  'an append of whose fate nothing is heard (it took place: %s) leaves it waiting; the next one ends with one of each',
  async (took) => {
    let failing = true;
    const publisher = publishing(async (topic, partition, records) => {
      if (!failing || took) await log.append(topic, partition, records);
      if (!failing) return { first: 99n, next: 100n }; // as if what came before it were not known
      throw new Failure('log-unavailable', 'no answer');
    });
    ledger.write([action('a'), action('a', { revision: 2, state: 'done' })]);
    await expect(publisher.publishNow(PARTITION, SIGNAL)).rejects.toMatchObject({
      code: 'log-unavailable',
    });
    expect(ledger.unpublished()).toBe(2);
    failing = false;
    await publisher.publishNow(PARTITION, SIGNAL);
    expect([ledger.unpublished(), ledger.get(decision('a').id)]).toEqual([
      0,
      action('a', { revision: 2, state: 'done' }),
    ]);
    expect((await written()).at(-1)).toEqual(action('a', { revision: 2, state: 'done' }));
  },
);

test('another’s claim that came first: ours is void, and whoever wanted to act on it hears so', async () => {
  const mine = action('a');
  const theirs = action('a', { executor: 'executor-b' });
  ledger.write([mine, action('b')]);
  await log.append(ACTIONS, PARTITION, [
    { key: theirs.id, value: JSON.stringify(theirs), timestamp: NOW.getTime() },
  ]);
  const publisher = publishing();
  await expect(publisher.publishNow(PARTITION, SIGNAL)).rejects.toMatchObject({
    code: 'log-partition-lost',
  });
  expect([ledger.get(mine.id), ledger.get(decision('b').id)]).toEqual([theirs, action('b')]);
  await publisher.publishNow(PARTITION, SIGNAL);
  expect((await written()).filter((it) => it.id === mine.id).at(-1)).toEqual(theirs); // the log's last word is what stands
});

test('another’s record that changes nothing here is no reason to stop', async () => {
  ledger.write([action('a')]);
  await publishing().publishNow(PARTITION, SIGNAL);
  const theirs = action('a', { executor: 'executor-b' });
  await log.append(ACTIONS, PARTITION, [
    { key: theirs.id, value: JSON.stringify(theirs), timestamp: NOW.getTime() },
  ]);
  ledger.write([action('a', { revision: 2, state: 'done' })]);
  await publishing().publishNow(PARTITION, SIGNAL);
  expect([ledger.get(theirs.id)?.state, ledger.unpublished()]).toEqual(['done', 0]);
});

test('a signal ends it before anything is sent', async () => {
  ledger.write([action('a')]);
  await expect(
    publishing().publishNow(PARTITION, AbortSignal.abort(new Error('stopped'))),
  ).rejects.toThrow('stopped');
  expect([await written(), ledger.unpublished()]).toEqual([[], 1]);
});

test('a claim fits only when its end does, too', () => {
  const large = (bytes: number): ActionRecord => action('a', { reason: 'x'.repeat(bytes) });
  expect([
    fitsTopic(action('a')),
    fitsTopic(large(8 * MIB - 80 * 1024)),
    fitsTopic(large(8 * MIB - 60 * 1024)),
    fitsTopic(large(9 * MIB)),
  ]).toEqual([true, true, false, false]);
  expect(() => ledger.write([large(8 * MIB - 60 * 1024)])).not.toThrow();
});
