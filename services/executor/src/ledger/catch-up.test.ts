import { ascendingBy } from '@ovn-steward/shared/compare';
import fc from 'fast-check';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from './ledger';
import { action, decision, undoOf } from '../testing/actions';
import { CLUSTER, NOW, PARTITION } from '../testing/findings';
import { type CaughtUp, catchUpLedger } from './catch-up';
import { nextRecord } from './decide';
import { createPublisher } from './publish';

const SIGNAL = new AbortController().signal;
const clock = (): Date => NOW;
let log: Log;
beforeEach(() => newLog());
afterEach(() => log.close());

async function newLog(): Promise<void> {
  log = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  await log.ensureTopics(TOPICS);
}
const newLedger = (): Ledger => new Ledger(openStateFile(':memory:'));
const caughtUp = (ledger: Ledger): Promise<CaughtUp> =>
  catchUpLedger({ log, ledger, partition: PARTITION, clock, signal: SIGNAL });
const publish = (ledger: Ledger): Promise<void> =>
  createPublisher({ log, ledger, clock }).publishNow(PARTITION, SIGNAL);
const recordOf = (record: ActionRecord): NewRecord => ({
  key: record.id,
  value: JSON.stringify(record),
  timestamp: NOW.getTime(),
});

test('an executor claims and dies; another sees the open claim with what undoes it, ends it, and the first one hears of that', async () => {
  const a = newLedger();
  const b = newLedger();
  expect(await caughtUp(a)).toEqual({
    records: 0,
    news: 0,
    poison: 0,
    refused: 0,
    isRebuilt: false,
  });
  a.write([action('p'), action('q', { state: 'deferred', undo: null })]);
  await publish(a);
  expect(await caughtUp(b)).toEqual({
    records: 2,
    news: 2,
    poison: 0,
    refused: 0,
    isRebuilt: false,
  });
  expect(b.open(CLUSTER)).toEqual([action('p')]);
  const done = nextRecord(
    b.open(CLUSTER)[0],
    decision('p', { state: 'done', undo: null, executor: 'executor-b' }),
    NOW,
  )!;
  b.write([done]);
  await publish(b);
  expect((await caughtUp(a)).news).toBe(1);
  expect([a.open(CLUSTER), a.get(done.id)?.undo]).toEqual([[], undoOf('p')]);
  expect((await caughtUp(a)).records).toBe(0);
});

test('paused after it claimed, and passed over meanwhile: what it says late does not change what stands, and the last word in the log is that', async () => {
  const a = newLedger();
  const b = newLedger();
  a.write([action('p')]); // paused before it was published
  b.write([
    action('p', { executor: 'executor-b' }),
    action('p', { executor: 'executor-b', revision: 2, state: 'refused' }),
  ]);
  await publish(b);
  await log.append(ACTIONS, PARTITION, [recordOf(action('p'))]); // its append arrives late
  await caughtUp(a);
  await caughtUp(b);
  expect([a.get(decision('p').id), b.get(decision('p').id)]).toEqual(
    Array(2).fill(action('p', { executor: 'executor-b', revision: 2, state: 'refused' })),
  );
  await publish(b);
  const { records } = await log.read(ACTIONS, PARTITION, 0n, 100);
  expect(JSON.parse(String(records.at(-1)!.value))).toEqual(b.get(decision('p').id));
});

test('what is no action is set aside, whole and once, and does not stop it', async () => {
  const { first } = await log.append(ACTIONS, PARTITION, [
    { key: 'k', value: 'no action', timestamp: NOW.getTime() },
    recordOf(action('p')),
    { key: 'other', value: JSON.stringify(action('q')), timestamp: NOW.getTime() },
  ]);
  const ledger = newLedger();
  expect(await caughtUp(ledger)).toEqual({
    records: 3,
    news: 1,
    poison: 2,
    refused: 0,
    isRebuilt: false,
  });
  await caughtUp(ledger);
  const letters = (await log.read(DEAD_LETTER, PARTITION, 0n, 100)).records.map(({ value }) =>
    DeadLetter.parse(JSON.parse(String(value))),
  );
  expect(letters.map(({ id, by, why }) => [id, by, why.slice(0, 8)])).toEqual([
    [`${ACTIONS}/${PARTITION}/${first}`, 'executor', 'not JSON'],
    [`${ACTIONS}/${PARTITION}/${first + 2n}`, 'executor', 'its key '],
  ]);
  expect(ledger.list()).toEqual([action('p')]);
});

test('a log that was replaced is read from its beginning, and gets what it lacks', async () => {
  const ledger = newLedger();
  ledger.write([action('p'), action('q', { state: 'done' })]);
  await publish(ledger);
  await log.close();
  await newLog();
  expect(await caughtUp(ledger)).toMatchObject({ records: 0, isRebuilt: true });
  await publish(ledger);
  const rebuilt = newLedger();
  await caughtUp(rebuilt);
  expect(rebuilt.list()).toEqual(ledger.list());
});

test('more than one reading takes', async () => {
  const ledger = newLedger();
  ledger.write(Array.from({ length: 1200 }, (_, n) => action(`p${n}`)));
  await publish(ledger);
  const rebuilt = newLedger();
  expect(await caughtUp(rebuilt)).toMatchObject({ records: 1200, news: 1200 });
  expect([rebuilt.list(), rebuilt.position(PARTITION)]).toEqual([
    ledger.list(),
    ledger.position(PARTITION),
  ]);
  await expect(
    catchUpLedger({
      log,
      ledger: newLedger(),
      partition: PARTITION,
      clock,
      signal: AbortSignal.abort(new Error('stopped')),
    }),
  ).rejects.toThrow('stopped');
});

describe('two executors that do not know of each other, over any history', () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        of: fc.constant('decide' as const),
        who: fc.nat(1),
        port: fc.constantFrom('p', 'q'),
        state: fc.constantFrom(
          'observed',
          'deferred',
          'claimed',
          'claimed',
          'done',
          'done',
          'refused',
          'undone',
        ),
        code: fc.constantFrom('x', 'y'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ of: fc.constant('publish' as const), who: fc.nat(1) }) },
    // an append that takes place and is not heard of
    { weight: 2, arbitrary: fc.record({ of: fc.constant('lose' as const), who: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ of: fc.constant('catch-up' as const), who: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ of: fc.constant('lose-file' as const), who: fc.nat(1) }) },
  );

  async function live(
    steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  ): Promise<{ ledgers: Ledger[]; deeds: Map<string, string> }> {
    const ledgers = [newLedger(), newLedger()];
    /**
     * What some executor said to be done and had published or still has: by id, with who said so
     * first.
     */
    const deeds = new Map<string, string>();
    for (const move of steps) {
      const ledger = ledgers[move.who]!;
      if (move.of === 'decide') {
        const before = ledger.get(decision(move.port).id);
        const basis =
          move.state === 'done' ? 'claimed' : move.state === 'undone' ? 'done' : before?.state;
        if (before?.state !== basis) continue; // would be a bug of the executor's
        const record = nextRecord(
          before,
          decision(move.port, {
            state: move.state as ActionRecord['state'],
            code: move.code,
            executor: `executor-${move.who}`,
            undo: move.state === 'claimed' ? undoOf(move.port, { by: move.who }) : null,
          }),
          NOW,
        );
        if (!record) continue;
        ledger.write([record]);
        if (record.state === 'done') deeds.set(record.id, record.executor);
      } else if (move.of === 'publish')
        await publish(ledger).catch((error: { code?: string }) =>
          expect(error.code).toBe('log-partition-lost'),
        );
      else if (move.of === 'lose') {
        const waiting = ledger.outbox(PARTITION, 100);
        if (waiting.length > 0)
          await log.append(
            ACTIONS,
            PARTITION,
            waiting.map(({ id, text }) => ({ key: id, value: text, timestamp: NOW.getTime() })),
          );
      } else if (move.of === 'catch-up') await caughtUp(ledger);
      else {
        // What was not published is gone with the file, deeds among it: the claim before it is in
        // the log, and is settled by looking.
        if (ledger.unpublished() === 0) ledgers[move.who] = newLedger();
      }
    }
    return { ledgers, deeds };
  }

  test('in the end all agree; a lost file is the same again; what compaction leaves says the same; and no deed is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await log.close();
        await newLog();
        const { ledgers, deeds } = await live(steps);
        for (let round = 0; round < 4; round += 1) {
          for (const ledger of ledgers) {
            await caughtUp(ledger);
            await publish(ledger).catch((error: { code?: string }) =>
              expect(error.code).toBe('log-partition-lost'),
            );
          }
        }
        const [one, other] = ledgers.map((it) => it.list());
        expect(one).toEqual(other);
        expect(ledgers.map((it) => it.unpublished())).toEqual([0, 0]);
        const rebuilt = newLedger();
        await caughtUp(rebuilt);
        expect([rebuilt.list(), rebuilt.unpublished(), rebuilt.position(PARTITION)]).toEqual([
          one,
          0,
          ledgers[0]!.position(PARTITION),
        ]);
        const { records } = await log.read(ACTIONS, PARTITION, 0n, 10_000);
        const last = new Map(
          records.map(({ key, value }) => [key, JSON.parse(String(value)) as ActionRecord]),
        );
        expect([...last.values()].sort(ascendingBy((it) => it.id))).toEqual(one);
        for (const id of deeds.keys()) expect(['done', 'undone']).toContain(last.get(id)?.state);
      }),
      { numRuns: 150 },
    );
  });
});
