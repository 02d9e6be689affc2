import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { ReadAction } from './read-action';
import { action, decision } from '../testing/actions';
import { CLUSTER, NOW, PARTITION } from '../testing/findings';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { stateFileBed } from '../testing/state-file-bed';
import { ExecutorStore } from '../store/executor-store';
import { Ledger } from './ledger';

const MIB = 1_048_576;
let file: StateFile;
let ledger: Ledger;
const { reopen } = stateFileBed((opened) => {
  file = opened;
  ledger = new Ledger(opened);
});

const read = (it: ActionRecord): ReadAction => ({ action: it, text: JSON.stringify(it) });
const at = (minute: number): string => new Date(NOW.getTime() + minute * 60_000).toISOString();
const waiting = (): unknown[] => ledger.outbox(PARTITION, 100).map(({ text }) => JSON.parse(text));
const IDLE = { state: 'deferred', undo: null } as const;

test('what is written stands and waits to be published, over a restart', () => {
  const claimed = action('a');
  const other = action('b', IDLE);
  ledger.write([claimed, other]);
  reopen();
  expect([ledger.get(claimed.id), ledger.get(other.id), ledger.get('constructor')]).toEqual([
    claimed,
    other,
    undefined,
  ]);
  expect(waiting()).toEqual([claimed, other]);
  expect(ledger.unpublished()).toBe(2);
  expect(ledger.position(PARTITION)).toBeUndefined();
});

test('what stands of one, without its record', () => {
  ledger.write([action('a'), action('b', IDLE)]);
  expect([
    ledger.stateOf(action('a').id),
    ledger.stateOf(action('b').id),
    ledger.stateOf('constructor'),
  ]).toEqual(
    [action('a'), action('b', IDLE), undefined].map(
      (it) => it && { state: it.state, code: it.code, plan: it.plan },
    ),
  );
});

test('all of a write or nothing; only what is newer', () => {
  const first = action('a', IDLE);
  const second = action('a', { ...IDLE, revision: 2, code: 'window' });
  ledger.write([first, second]);
  ledger.write([second]);
  expect(() =>
    ledger.write([action('b', IDLE), action('a', { ...IDLE, revision: 2, code: 'ceiling' })]),
  ).toThrow(
    expect.objectContaining({ code: 'fenced', message: expect.stringContaining('revision 2') }),
  );
  expect(() => ledger.write([action('c', { ...IDLE, reason: 'x'.repeat(8 * MIB) })])).toThrow(
    expect.objectContaining({ code: 'log-record-refused' }),
  );
  expect(ledger.list()).toEqual([second]);
  expect(waiting()).toEqual([first, second]);
});

test('what is published waits no more, and the position follows', () => {
  ledger.write([action('a', IDLE), action('b', IDLE)]);
  const [first] = ledger.outbox(PARTITION, 1);
  ledger.published(PARTITION, [first!.seq], 12345678901234567890n);
  expect([waiting().length, ledger.position(PARTITION), ledger.position(PARTITION + 1)]).toEqual([
    1,
    12345678901234567890n,
    undefined,
  ]);
});

test('a batch to publish is bounded by what it holds', () => {
  const large = (port: string): ActionRecord =>
    action(port, { ...IDLE, reason: 'x'.repeat(3 * MIB) });
  ledger.write(['a', 'b', 'c', 'd'].map(large));
  expect([
    ledger.outbox(PARTITION, 100).length,
    ledger.outbox(PARTITION, 2).length,
    ledger.outbox(PARTITION + 1, 100).length,
  ]).toEqual([3, 2, 0]);
});

test('what is decided here is on the disk when it is written, also after something was read from the log', () => {
  const FULL = 2; // sqlite.org/pragma.html#pragma_synchronous
  ledger.take(PARTITION, [read(action('a'))], 1n);
  ledger.published(PARTITION, [], 2n);
  expect(file.db.pragma('synchronous', { simple: true })).toBe(FULL);
});

test('open claims, the oldest first, of one cluster', () => {
  const elsewhere = action('e', { cluster: 'athens' });
  ledger.write([
    action('a', { claimedAt: at(5) }),
    action('b', { claimedAt: at(1) }),
    action('f', { claimedAt: at(3) }),
    action('g', { claimedAt: at(2) }),
    action('c', { state: 'done' }),
    action('d', IDLE),
    elsewhere,
  ]);
  expect(ledger.open(CLUSTER).map((it) => it.target.name)).toEqual(['b', 'g', 'f', 'a']);
  expect(ledger.open('athens')).toEqual([elsewhere]);
});

test('finds them by what they are about', () => {
  const a = action('a', { plan: 'plan-1' });
  const b = action('b', { ...IDLE, plan: 'plan-1', rule: 'leaked-ip' });
  const c = action('c', { state: 'done', cluster: 'athens' });
  ledger.write([a, b, c]);
  const ids = (found: readonly ActionRecord[]): string[] =>
    found.map((it) => it.target.name).sort();
  expect(ids(ledger.list())).toEqual(['a', 'b', 'c']);
  expect([
    ids(ledger.list({ cluster: CLUSTER })),
    ids(ledger.list({ rule: 'leaked-ip', cluster: CLUSTER })),
    ids(ledger.list({ state: 'done' })),
    ids(ledger.list({ plan: 'plan-1' })),
    ids(ledger.list({ subject: 'uid-b' })),
    ids(ledger.list({ id: c.id.slice(0, 12) })),
  ]).toEqual([['a', 'b'], ['b'], ['c'], ['a', 'b'], ['b'], ['c']]);
  expect(ledger.list({ id: '%' })).toEqual([]);
  expect([ledger.total(), ledger.total({ plan: 'plan-1', state: 'claimed' })]).toEqual([3, 1]);
  expect([ledger.ofFinding(a.finding.id), ids(ledger.ofPlan('plan-1'))]).toEqual([[a], ['a', 'b']]);
  const pages = [ledger.list({ limit: 2 })];
  pages.push(ledger.list({ limit: 2, after: pages[0]!.at(-1)!.id }));
  expect(pages.flat()).toEqual(ledger.list());
});

test('counts what was claimed since, whatever became of it, and how many are in which state', () => {
  const none = { vpc: null, subnet: null };
  ledger.write([
    action('old', { claimedAt: at(-61) }),
    action('a', { claimedAt: at(-60) }),
    action('b', { claimedAt: at(-1), state: 'undone' }),
    action('c', { rule: 'leaked-ip', state: 'refused', code: 'changed', scope: none }),
    action('d', IDLE),
    action('e', { cluster: 'athens' }),
  ]);
  expect(ledger.spent(CLUSTER, NOW.getTime() - 3_600_000)).toEqual({
    all: 3,
    byRule: new Map([
      ['leaked-ip', 1],
      ['orphaned-logical-switch-port', 2],
    ]),
    byVpc: new Map([['ovn-cluster', 2]]),
    bySubnet: new Map([['ovn-default', 2]]),
  });
  expect(ledger.counts()).toContainEqual({
    cluster: CLUSTER,
    rule: 'leaked-ip',
    state: 'refused',
    code: 'changed',
    count: 1,
  });
  expect(ledger.counts().reduce((sum, it) => sum + it.count, 0)).toBe(6);
});

test('forgetting the findings forgets nothing of it, and another version of theirs neither', () => {
  const store = new ExecutorStore(file);
  ledger.write([action('a')]);
  store.forget();
  file.db.exec("UPDATE part SET version = 99 WHERE name = 'findings'");
  reopen();
  new ExecutorStore(file);
  expect([ledger.get(action('a').id), waiting()]).toEqual([action('a'), [action('a')]]);
});

test('another version of it keeps what nobody else has, and reads the rest again', () => {
  const sent = action('a', { state: 'done' });
  const unsent = action('b');
  ledger.write([sent]);
  ledger.published(
    PARTITION,
    ledger.outbox(PARTITION, 9).map((it) => it.seq),
    7n,
  );
  ledger.write([unsent]);
  file.db.exec("UPDATE part SET version = 99 WHERE name = 'ledger'");
  reopen();
  expect([ledger.list(), waiting(), ledger.position(PARTITION)]).toEqual([
    [unsent],
    [unsent],
    undefined,
  ]);
});

describe('what the log says', () => {
  /** Folds them in, in their order; what stands of the port a, and what then waits. */
  const take = (
    ...records: ActionRecord[]
  ): { news: number; stands: ActionRecord | undefined; waiting: unknown[] } => {
    const { news } = ledger.take(PARTITION, records.map(read), 9n);
    return { news, stands: ledger.get(decision('a').id), waiting: waiting() };
  };
  const mine = (more: Partial<ActionRecord> = {}): ActionRecord => action('a', more);
  const theirs = (more: Partial<ActionRecord> = {}): ActionRecord =>
    action('a', { executor: 'executor-b', ...more });
  const reported = (...records: ActionRecord[]): void => {
    ledger.write(records);
    ledger.published(
      PARTITION,
      ledger.outbox(PARTITION, 99).map((it) => it.seq),
      1n,
    );
  };

  test('is taken over, and the position with it', () => {
    expect(take(theirs())).toEqual({ news: 1, stands: theirs(), waiting: [] });
    expect(ledger.position(PARTITION)).toBe(9n);
  });

  test('what we sent without hearing of it need not be sent again', () => {
    ledger.write([mine(), mine({ revision: 2, state: 'done' })]);
    expect(take(mine())).toEqual({
      news: 0,
      stands: mine({ revision: 2, state: 'done' }),
      waiting: [mine({ revision: 2, state: 'done' })],
    });
  });

  test('a greater revision wins', () => {
    reported(mine());
    const claimed = theirs({ revision: 2 });
    const refused = theirs({ revision: 3, state: 'refused' });
    expect(take(claimed, refused)).toEqual({ news: 2, stands: refused, waiting: [] });
  });

  test('of one revision the first in the log wins, and is said again behind the other, once', () => {
    reported(mine());
    expect(take(theirs())).toEqual({ news: 0, stands: mine(), waiting: [mine()] });
    expect(take(theirs()).waiting).toEqual([mine()]);
    expect(take(mine())).toEqual({ news: 0, stands: mine(), waiting: [] });
  });

  test('an older revision behind a newer one hides it after compaction: it is said again', () => {
    reported(mine(), mine({ revision: 2, state: 'done' }));
    expect(take(mine())).toEqual({
      news: 0,
      stands: mine({ revision: 2, state: 'done' }),
      waiting: [mine({ revision: 2, state: 'done' })],
    });
  });

  test('a claim that was not acknowledged is void once the log has another record of that revision', () => {
    for (const record of [theirs(), theirs({ state: 'refused' }), theirs({ ...IDLE })]) {
      ledger.write([action('z', IDLE), mine()]);
      expect(take(record)).toEqual({ news: 1, stands: record, waiting: [action('z', IDLE)] });
      file.db.exec('DELETE FROM action; DELETE FROM outbox');
    }
  });

  test('so is all that was built upon it', () => {
    reported(mine(IDLE));
    ledger.write([mine({ revision: 2 }), mine({ revision: 3, state: 'refused' })]);
    expect(take(theirs({ revision: 2 }))).toEqual({
      news: 1,
      stands: theirs({ revision: 2 }),
      waiting: [],
    });
  });

  test('but not what was built upon what came before it', () => {
    reported(mine(IDLE));
    ledger.write([mine({ revision: 2 })]);
    expect(take(theirs({ revision: 1 }))).toEqual({
      news: 0,
      stands: mine({ revision: 2 }),
      waiting: [mine({ revision: 2 })],
    });
  });

  test('a deed is never lost: unpublished here, it is published again behind what the log has', () => {
    reported(mine());
    ledger.write([mine({ revision: 2, state: 'done' })]);
    const again = mine({ revision: 4, state: 'done' });
    expect(take(theirs({ revision: 2 }), theirs({ revision: 3, state: 'refused' }))).toEqual({
      news: 2,
      stands: again,
      waiting: [again],
    });
  });

  test('nor when it comes late in the log, behind who did not know of it', () => {
    reported(theirs({ revision: 3, state: 'refused' }));
    const again = mine({ revision: 4, state: 'done' });
    expect(take(mine({ revision: 2, state: 'done' }))).toEqual({
      news: 1,
      stands: again,
      waiting: [again],
    });
    expect(take(again)).toEqual({ news: 0, stands: again, waiting: [] });
  });

  test('two that both say it was done need no third', () => {
    reported(mine());
    ledger.write([mine({ revision: 2, state: 'done' })]);
    const theirDone = theirs({ revision: 2, state: 'done', code: 'settled' });
    expect(take(theirDone)).toEqual({ news: 1, stands: theirDone, waiting: [] });
  });

  test('a tombstone forgets it, but not what is under way or unpublished', () => {
    const forget = (): boolean => ledger.take(PARTITION, [{ forgotten: mine().id }], 9n).news === 1;
    expect(forget()).toBe(false);
    reported(mine());
    expect(forget()).toBe(false);
    ledger.write([mine({ revision: 2, state: 'done' })]);
    expect(forget()).toBe(false);
    ledger.published(
      PARTITION,
      ledger.outbox(PARTITION, 9).map((it) => it.seq),
      9n,
    );
    expect([forget(), ledger.list()]).toEqual([true, []]);
  });

  test('read from its beginning again, what it turns out to lack waits again, and nothing else', () => {
    const kept = mine({ revision: 2, state: 'done' });
    const lost = action('b', { state: 'done' });
    reported(mine(), kept, lost);
    ledger.restart(PARTITION);
    expect(ledger.position(PARTITION)).toBeUndefined();
    expect(take(mine(), kept)).toEqual({ news: 0, stands: kept, waiting: [lost] });
  });
});

test('partitions do not mix', () => {
  const there = partitionOf('athens', PARTITIONS);
  expect(there).not.toBe(PARTITION);
  ledger.write([action('a'), action('e', { cluster: 'athens' })]);
  expect([waiting().length, ledger.outbox(there, 9).length]).toEqual([1, 1]);
  ledger.published(
    there,
    ledger.outbox(there, 9).map((it) => it.seq),
    1n,
  );
  ledger.restart(PARTITION);
  expect([waiting().length, ledger.outbox(there, 9).length]).toEqual([1, 0]);
});
