import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { until } from '@ovn-steward/shared/testing/until';
import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, PARTITION } from '../testing/findings';
import { somePlan } from '../testing/plans';
import { ANNA, EXECUTOR, logOf } from '../testing/signing';
import { type ControlState, holdsAt } from './control-state';
import { type ControlFollower, followControl } from './follow-control';

let log: Log;
let abort: AbortController;
let states: ControlState[];
let troubles: string[];

beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  abort = new AbortController();
  states = [];
  troubles = [];
});
afterEach(async () => {
  abort.abort();
  await log.close();
});

const follow = (on: Log = log): ControlFollower =>
  followControl({
    log: on,
    cluster: CLUSTER,
    partition: PARTITION,
    signal: abort.signal,
    onState: (it) => void states.push(it),
    onTrouble: (it) => void troubles.push(it),
  });
const say = async (...reported: Parameters<typeof decision>[0][]): Promise<void> =>
  void (await log.append(
    CONTROL,
    PARTITION,
    reported.map((it) => controlEntry(decision(it))),
  ));
const hold = { type: 'hold', scope: {}, reason: 'maintenance', until: null } as const;
const held = (): number => holdsAt(states.at(-1)!, new Date()).length;

test('knows nothing, and says so, until everything in the log is read; then every decision as it is made', async () => {
  await say(hold, { type: 'approve', finding: 'f', revision: 1 });
  const follower = follow();
  expect([follower.age(), follower.state()]).toEqual([Infinity, undefined]);
  await until(() => states.length > 0);
  expect([held(), states.length]).toEqual([1, 1]);
  expect(follower.state()).toBe(states[0]);
  await say({ type: 'resume', scope: {} });
  await until(() => held() === 0);
  expect(states[1]!.approvals.size).toBe(1);
  abort.abort();
  await follower.ended;
});

test('a decision is known once the first read to the end that began after it is done', async () => {
  let reads = 0;
  follow(
    Object.assign(Object.create(log) as Log, {
      read: (...args: Parameters<Log['read']>) => {
        reads += 1;
        return log.read(...args);
      },
    }),
  );
  await until(() => states.length > 0);
  for (let round = 0; round < 3; round += 1) {
    await say(round % 2 === 0 ? hold : { type: 'resume', scope: {} });
    const before = reads;
    // What was under way, what reads it, and the one at the end, which is done when the next
    // begins.
    await until(() => reads >= before + 4);
    expect(held()).toBe((round + 1) % 2);
  }
});

test('grows old while the log cannot be read, and goes on where it was', async () => {
  let broken = false;
  const failing: Log = {
    ...log,
    read: (...args) =>
      broken
        ? Promise.reject(new Failure('log-unavailable', 'No broker answers.'))
        : log.read(...args),
  };
  const follower = follow(failing);
  await until(() => states.length > 0);
  broken = true;
  await say(hold);
  await until(() => follower.age() > 600 && troubles.length > 1);
  expect([states.length, troubles[0]]).toEqual([
    1,
    'What people decide cannot be read: No broker answers.',
  ]);
  broken = false;
  await until(() => states.length === 2);
  expect([held(), follower.age() < 600]).toEqual([1, true]);
});

test('a log that was replaced is read again, and the holds that are not in it any more go on', async () => {
  let from: Log = log;
  const replaced: Log = { ...log, read: (...args) => from.read(...args) };
  follow(replaced);
  await say(
    hold,
    { type: 'hold', scope: { rule: 'r' }, reason: 'x', until: null },
    { type: 'approve', finding: 'f', revision: 1 },
  );
  await until(() => states.at(-1)?.holds.size === 2);
  const other = openSqliteLog({ file: ':memory:' });
  await other.ensureTopics(TOPICS);
  await other.append(CONTROL, PARTITION, [
    controlEntry(decision({ type: 'resume', scope: { rule: 'r' } })),
  ]);
  from = other;
  await until(() => states.at(-1)!.approvals.size === 0);
  expect([...states.at(-1)!.holds.values()].map((it) => it.scope)).toEqual([{}]);
  await other.close();
});

test('what cannot be read is set aside, and keeps nothing after it from counting', async () => {
  await log.append(CONTROL, PARTITION, [
    { key: `${CLUSTER}/approve/f`, value: '{', timestamp: 1 },
    { key: 'paris-1/approve/f', value: '{', timestamp: 1 },
    { key: 'nobody', value: '{', timestamp: 1 },
  ]);
  await say(hold);
  follow();
  await until(() => states.length > 0);
  expect(held()).toBe(1);
  const { records } = await log.read(DEAD_LETTER, PARTITION, 0n, 10);
  expect(
    records
      .map((it) => DeadLetter.parse(JSON.parse(String(it.value))))
      .map(({ id, by, why }) => [id, by, why.slice(0, 8)]),
  ).toEqual([
    [`${CONTROL}/${PARTITION}/0`, 'executor', 'not JSON'],
    [`${CONTROL}/${PARTITION}/2`, 'executor', 'not JSON'],
  ]);
});

test('a hold is heard even where nothing can be set aside', async () => {
  const full: Log = { ...log, append: () => Promise.reject(new Failure('log-full', 'No room.')) };
  await log.append(CONTROL, PARTITION, [{ key: 'nobody', value: '{', timestamp: 1 }]);
  await say(hold);
  follow(full);
  await until(() => states.length > 0);
  expect([held(), troubles.at(-1)]).toEqual([1, 'It could not be set aside either: No room.']);
});

test('ends with the log when that is closed under it', async () => {
  const follower = follow();
  await until(() => states.length > 0);
  await log.close();
  await expect(follower.ended).rejects.toMatchObject({ code: 'log-closed' });
});

test('forgets what is over, and nothing else; published again, it stands again', async () => {
  const undo = { type: 'undo', of: 'a' } as const;
  await say(
    undo,
    { type: 'undo', of: 'b' },
    { type: 'plan', plan: { ...somePlan() }, overCeilings: false },
    hold,
  );
  const follower = follow();
  await until(() => states.length > 0);
  const [{ plans, undos }] = states as [ControlState];
  expect([plans.size, undos.size]).toEqual([1, 2]);
  follower.forget([...plans.values(), undos.get('a')!]);
  await until(() => states.length > 1);
  expect([follower.state()!.plans.size, [...follower.state()!.undos.keys()], held()]).toEqual([
    0,
    ['b'],
    1,
  ]);
  await say(undo);
  await until(() => states.length > 2);
  expect([...follower.state()!.undos.keys()].sort()).toEqual(['a', 'b']);
});

describe('on a log whose records are signed', () => {
  test('what nobody who may decide wrote is set aside and counted, holds stay, and are the last word again', async () => {
    const anna = logOf(log, ANNA);
    await anna.append(CONTROL, PARTITION, [controlEntry(decision(hold))]);
    const refused: string[] = [];
    followControl({
      log: logOf(log, EXECUTOR),
      cluster: CLUSTER,
      partition: PARTITION,
      signal: abort.signal,
      onState: (it) => void states.push(it),
      onTrouble: (it) => void troubles.push(it),
      onRefused: (it) => void refused.push(it),
    });
    await until(() => states.length > 0);
    await say({ type: 'resume', scope: {} }, { type: 'approve', finding: 'f', revision: 1 });
    await until(() => refused.length > 1);
    expect(refused).toEqual(['unsigned', 'unsigned']);
    const records = async () => (await log.read(CONTROL, PARTITION, 0n, 100)).records;
    await until(async () => (await records()).length >= 4);
    const [first, , , last] = await records();
    expect([last?.value, last?.headers]).toEqual([first?.value, first?.headers]);
    expect([held(), states.at(-1)!.approvals.size]).toEqual([1, 0]);
    const letters = (await log.read(DEAD_LETTER, PARTITION, 0n, 100)).records;
    expect(letters.map((it) => DeadLetter.parse(JSON.parse(String(it.value))).why)).toEqual([
      'it has no signature',
      'it has no signature',
    ]);
    expect(troubles).toEqual([
      `A decision at ${CONTROL}/${PARTITION}/1 is refused: it has no signature`,
      `A decision at ${CONTROL}/${PARTITION}/2 is refused: it has no signature`,
    ]);
    // Nothing is published over twice.
    await anna.append(CONTROL, PARTITION, [controlEntry(decision({ type: 'resume', scope: {} }))]);
    await until(() => held() === 0);
    expect(await records()).toHaveLength(5);
  });
});
