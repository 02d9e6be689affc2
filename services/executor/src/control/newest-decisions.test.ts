import type { Control } from '@ovn-steward/contracts/control/control';
import type { Log, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, NOW, PARTITION } from '../testing/findings';
import { ANNA, BOB, EXECUTOR, logOf, MALLORY, ONLY_HOLDS } from '../testing/signing';
import { readControlAndPlan } from './read-control-and-plan';
import { type ControlState, holdsAt, NOTHING_DECIDED } from './control-state';
import {
  hiddenIn,
  type Newest,
  newestOf,
  nothingRead,
} from '@ovn-steward/contracts/control/newest-of';
import { foldControls } from './fold-controls';

let bare: Log;
let clock: number;
let newest: Newest;
let state: ControlState;
let from: bigint;

beforeEach(async () => {
  bare = openSqliteLog({ file: ':memory:' });
  await bare.ensureTopics(TOPICS);
  clock = NOW.getTime();
  newest = nothingRead();
  state = NOTHING_DECIDED;
  from = 0n;
});
afterEach(() => bare.close());

const now = (): number => (clock += 1000);
const record = (control: Control): NewRecord => controlEntry(control);
const HOLD = record(decision({ type: 'hold', scope: {}, reason: 'maintenance', until: null }));
const RESUME = record(decision({ type: 'resume', scope: {} }));
const APPROVE = record(decision({ type: 'approve', finding: 'f', revision: 1, by: 'the king' }));
const WITHDRAW = record(decision({ type: 'withdraw', of: 'approve/f' }));

/** Somebody says it. @returns the record as it lies in the log. */
const say = async (entry: NewRecord, by = ANNA): Promise<LogRecord> => {
  const { first } = await logOf(bare, by, now).append(CONTROL, PARTITION, [entry]);
  return (await bare.read(CONTROL, PARTITION, first, 1)).records[0]!;
};
const again = async ({ key, value, headers, timestamp }: LogRecord): Promise<void> =>
  void (await bare.append(CONTROL, PARTITION, [{ key, value, headers, timestamp }]));
/** Reads on to the end. @returns why what was refused was. */
const read = async (): Promise<readonly (string | undefined)[]> => {
  const batch = await logOf(bare, EXECUTOR, () => clock).read(CONTROL, PARTITION, from, 500);
  from = batch.next;
  const { fold, aside } = newestOf(batch.records, newest, readControlAndPlan);
  state = foldControls(state, CLUSTER, fold);
  return aside.map((it) => it.refused);
};
const held = (): number => holdsAt(state, NOW).length;

test('what trusted people say counts, under the names of their keys', async () => {
  await say(HOLD);
  await say(APPROVE, BOB);
  expect(await read()).toEqual([]);
  expect([held(), state.approvals.get('f')?.by]).toEqual([1, 'bob']);
  await say(RESUME, BOB);
  await read();
  expect(held()).toBe(0);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['without a signature', () => bare.append(CONTROL, PARTITION, [RESUME]), 'unsigned'],
  ['by a stranger who calls himself anna', () => say(RESUME, MALLORY), 'unknown-key'],
  ['by an executor', () => say(RESUME, EXECUTOR), 'role'],
  [
    'a tombstone without a signature',
    () => bare.append(CONTROL, PARTITION, [{ ...RESUME, value: null }]),
    'unsigned',
  ],
  ['a tombstone by a stranger', () => say({ ...RESUME, value: null }, MALLORY), 'unknown-key'],
  ['a tombstone by who may not forget', () => say({ ...RESUME, value: null }, ONLY_HOLDS), 'role'],
])('a hold is not ended %s; what hides it is published over', async (_, forge, reason) => {
  const hold = await say(HOLD);
  await forge();
  expect([await read(), held()]).toEqual([[reason], 1]);
  const over = hiddenIn(newest);
  expect(over).toEqual([
    expect.objectContaining({ key: hold.key, value: hold.value, headers: hold.headers }),
  ]);
  await bare.append(CONTROL, PARTITION, over);
  expect([await read(), held(), hiddenIn(newest)]).toEqual([[], 1, []]);
});

test('what was published over already is not published again by who begins to read', async () => {
  const hold = await say(HOLD);
  await bare.append(CONTROL, PARTITION, [RESUME]);
  await again(hold);
  expect([await read(), held(), hiddenIn(newest)]).toEqual([['unsigned'], 1, []]);
});

test('nothing is approved by who may not', async () => {
  await bare.append(CONTROL, PARTITION, [APPROVE]);
  for (const it of [MALLORY, EXECUTOR, ONLY_HOLDS]) await say(APPROVE, it);
  expect([await read(), state.approvals.size]).toEqual([
    ['unsigned', 'unknown-key', 'role', 'role'],
    0,
  ]);
});

test('an old record appended again moves nothing', async () => {
  const resume = await say(RESUME);
  await say(HOLD);
  await again(resume);
  expect([await read(), held()]).toEqual([['replayed'], 1]);
  await again(resume);
  expect([await read(), held()]).toEqual([['replayed'], 1]);
  expect(hiddenIn(newest)).toHaveLength(1);
  const approve = await say(APPROVE);
  await say(WITHDRAW);
  await again(approve);
  expect([await read(), state.approvals.size]).toEqual([['replayed'], 0]);
});

describe('a withdrawal by somebody who has not read the approval', () => {
  const withdraw = async (behindMs: number): Promise<void> =>
    void (await logOf(bare, BOB, () => clock - behindMs).append(CONTROL, PARTITION, [WITHDRAW]));

  test('counts when it is signed in the same moment, and the approval again does not', async () => {
    const approve = await say(APPROVE);
    await withdraw(0);
    expect([await read(), state.approvals.size]).toEqual([[], 0]);
    await again(approve);
    expect([await read(), state.approvals.size]).toEqual([['replayed'], 0]);
  });

  test('does not when it is signed before', async () => {
    await say(APPROVE);
    await withdraw(1);
    expect([await read(), state.approvals.size]).toEqual([['replayed'], 1]);
  });
});

describe('a hold that is signed behind a resume', () => {
  /** By somebody whose clock is behind, and who has not read the resume. */
  const late = async (hold = HOLD, behindMs = 60_000): Promise<void> =>
    void (await logOf(bare, BOB, () => clock - behindMs).append(CONTROL, PARTITION, [hold]));
  const resumed = async (): Promise<LogRecord> => {
    await say(HOLD);
    const resume = await say(RESUME);
    expect([await read(), held()]).toEqual([[], 0]);
    return resume;
  };

  test.each([
    ['earlier', 60_000],
    ['in the same moment', 0],
  ])('%s: holds, is counted, and ends by a later resume', async (_, behindMs) => {
    await resumed();
    await late(HOLD, behindMs);
    expect([await read(), held(), hiddenIn(newest)]).toEqual([['replayed'], 1, []]);
    expect(holdsAt(state, NOW)[0]).toMatchObject({ by: 'bob', reason: 'maintenance' });
    await say(RESUME);
    expect([await read(), held()]).toEqual([[], 0]);
  });

  test('is not ended by the resume it is behind, and lies over that again', async () => {
    const resume = await resumed();
    await late();
    await read();
    await again(resume);
    expect([await read(), held()]).toEqual([['replayed'], 1]);
    const over = hiddenIn(newest);
    expect(over).toHaveLength(1);
    await bare.append(CONTROL, PARTITION, over);
    expect([await read(), held(), hiddenIn(newest)]).toEqual([[], 1, []]);
  });

  test('holds when an old one is appended again', async () => {
    const hold = await say(HOLD);
    await say(RESUME);
    await again(hold);
    expect([await read(), held()]).toEqual([['replayed'], 1]);
  });

  test('behind another hold it takes nothing of that away', async () => {
    await resumed();
    await say(HOLD);
    const short = { scope: {}, reason: 'short', until: NOW.toISOString() } as const;
    await late(record(decision({ type: 'hold', ...short })));
    expect([await read(), held()]).toEqual([['replayed'], 1]);
    await say(RESUME);
    await late();
    await late(record(decision({ type: 'hold', ...short })), 120_000);
    expect([await read(), held()]).toEqual([['replayed', 'replayed'], 1]);
  });
});

describe('that an executor heard', () => {
  const heard = (by: string, ids: string[] = []): NewRecord =>
    record(
      decision({
        type: 'heard',
        by,
        since: NOW.toISOString(),
        decisions: ids.map((id) => ({ about: 'hold/x', id, type: 'hold' as const })),
      }),
    );

  test('counts when it says so itself', async () => {
    await say(heard('executor-1', ['h']), EXECUTOR);
    expect([await read(), state.heard.get('executor-1')?.ids]).toEqual([[], new Set(['h'])]);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'without a signature',
      () => bare.append(CONTROL, PARTITION, [heard('executor-1')]),
      'unsigned',
    ],
    ['by a person', () => say(heard('executor-1'), ANNA), 'role'],
    ['by another executor', () => say(heard('executor-2'), EXECUTOR), 'role'],
    [
      'gone, by another executor',
      () => say({ ...heard('executor-2'), value: null }, EXECUTOR),
      'role',
    ],
  ])('counts for nothing %s', async (_, forge, reason) => {
    await forge();
    expect([await read(), state.heard.size]).toEqual([[reason], 0]);
  });

  test('is not said again by an old record', async () => {
    const old = await say(heard('executor-1', ['h']), EXECUTOR);
    await say(heard('executor-1', []), EXECUTOR);
    await again(old);
    expect([await read(), state.heard.get('executor-1')?.ids]).toEqual([['replayed'], new Set()]);
  });
});

test('the same record again is a repetition', async () => {
  await again(await say(HOLD));
  expect([await read(), held(), hiddenIn(newest)]).toEqual([[], 1, []]);
});

test('what is over is not wanted again by a repetition', async () => {
  const undo = await say(record(decision({ type: 'undo', of: 'x' })));
  await read();
  expect(state.undos.size).toBe(1);
  state = { ...state, undos: new Map() };
  await again(undo);
  await read();
  expect(state.undos.size).toBe(0);
});

test('another record of the same moment does not count either', async () => {
  await say(HOLD);
  const at = clock;
  await logOf(bare, BOB, () => at).append(CONTROL, PARTITION, [RESUME]);
  expect([await read(), held()]).toEqual([['replayed'], 1]);
});

test('where nothing proven is known of a hold, what is refused may lie over one, and holds', async () => {
  await bare.append(CONTROL, PARTITION, [{ ...RESUME, value: null }]);
  expect([await read(), held()]).toEqual([['unsigned'], 1]);
  expect(holdsAt(state, NOW)[0]?.reason).toContain('refused (it has no signature)');
  await say(RESUME);
  expect([await read(), held()]).toEqual([[], 0]);
  await bare.append(CONTROL, PARTITION, [HOLD]);
  expect([await read(), held()]).toEqual([['unsigned'], 0]);
});
