import { operation as op } from '@ovn-steward/ovsdb';
import type { Proposal } from '../findings/proposal';
import { type Item, itemOf } from '../gate/item';
import { Ledger } from '../ledger/ledger';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { undoOf } from '../testing/actions';
import { finding as aboutPort } from '../testing/findings';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import type { LedgerEntry } from './ledger-entry';
import { LedgerWriter } from './ledger-writer';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let finding: Proposal;
let executor: Scene;
let now: string;

beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  now = '2026-05-04T10:00:00Z';
  finding = {
    ...(await recordedProposals('leaky')).find(
      (each) => each.remedy.action === 'remove-load-balancer-vip',
    )!,
    firstSeen: '2026-05-04T09:40:00Z',
    confirmedAt: '2026-05-04T09:50:00Z',
  };
  executor = scene({ northbound, kubernetes }, () => [finding], OPEN_LIMITS, {
    clock: () => new Date(now),
  });
});
afterEach(() => executor.close());

const vips = (): unknown =>
  northbound.database.rows('Load_Balancer').get(finding.subject.uid)!['vips'];
const reported = (): readonly string[] =>
  [...executor.actions()]
    .sort((a, b) => a.finding.revision - b.finding.revision)
    .map(({ state, code }) => `${state} ${code}`);
/** The entry goes, comes again, and is found dead again; first seen then. */
async function twice(firstSeen: string): Promise<void> {
  const before = vips();
  await executor.turns(1);
  expect(vips()).not.toEqual(before);
  northbound.database.transact([
    op.update('Load_Balancer', op.byUuid(finding.subject.uid), { vips: before as string }),
  ]);
  finding = { ...finding, revision: finding.revision + 2, firstSeen };
  await executor.turns(1);
}

test('an entry that came again after it was removed is removed again', async () => {
  await twice('2026-05-04T10:05:00Z');
  expect(reported()).toEqual(['done done', 'done done']);
});

test('though the clock of the executor is an hour ahead', async () => {
  now = '2026-05-04T11:00:00Z';
  await twice('2026-05-04T10:05:00Z');
  expect(reported()).toEqual(['done done', 'done done']);
});

test('one that was seen before it was confirmed for the other is not removed by two actions', async () => {
  await twice('2026-05-04T09:49:00Z');
  expect(reported()).toEqual(['done done', 'refused twin']);
});

test('nor one that is to be put back', async () => {
  const record = executor.ledger.get.bind(executor.ledger);
  await executor.turns(1);
  const [done] = executor.actions();
  executor.ledger.write([
    { ...record(done!.id)!, revision: done!.revision + 1, code: 'undo-unclear' },
  ]);
  finding = { ...finding, revision: finding.revision + 2, firstSeen: '2026-05-04T10:05:00Z' };
  await executor.turns(1);
  expect(reported()).toEqual(['done undo-unclear', 'refused twin']);
});

test('a row that came back with its uuid, as a restore brings it, is removed again', async () => {
  const group = (await recordedProposals('leaky')).find(
    (each) => each.rule === 'orphaned-port-group',
  )!;
  finding = { ...group, confirmedAt: '2026-05-04T09:50:00Z' };
  const row = northbound.database.rows('Port_Group').get(group.subject.uid)!;
  await executor.turns(1);
  expect(northbound.database.rows('Port_Group').has(group.subject.uid)).toBe(false);
  const { name, external_ids: ids } = row as { name: string; external_ids: string };
  expect(
    northbound.database.transact([
      op.insert('Port_Group', { name, external_ids: ids }, group.subject.uid),
    ]),
  ).toMatchObject({ ok: true });
  finding = { ...finding, revision: finding.revision + 2, firstSeen: '2026-05-04T09:55:00Z' };
  await executor.turns(1);
  expect(reported()).toEqual(['done done', 'done done']);
});

describe('a ledger by itself', () => {
  const reported: string[] = [];
  const ledger = (): { readonly writer: LedgerWriter; readonly of: LedgerWriter['of'] } => {
    reported.length = 0;
    const writer = new LedgerWriter({
      ledger: new Ledger(openStateFile(':memory:')),
      executor: 'executor-a',
      identity: () => undefined,
      clock: () => new Date(now),
      onAction: ({ id, state }) => void reported.push(`${id} ${state}`),
    });
    return { writer, of: (id) => writer.of(id) };
  };
  const itemOn = (port: string, revision = 2): Item =>
    itemOf({ ...aboutPort(port), revision } as Proposal, 'enforce', undefined);
  const claimed = (port: string): LedgerEntry => ({
    state: 'claimed',
    code: 'claimed',
    reason: 'it is claimed',
    undo: undoOf(port),
  });
  const OBSERVED: LedgerEntry = { state: 'observed', code: 'mode', reason: 'the rule is observed' };

  test('an entry of a plan is recorded once for each time that the plan is handed over', () => {
    const { writer, of } = ledger();
    const HELD: LedgerEntry = { state: 'deferred', code: 'held', reason: 'anna holds it' };
    /** As it is read anew from the log. */
    const handedOver = (): Item => ({
      ...itemOn('port-1'),
      approval: { by: 'anna', plan: 'plan-1', overCeilings: false },
      entries: [],
    });
    const first = handedOver();
    const again = handedOver();
    const revisions = [first, first, again, again].map((it) => writer.write(it, HELD).revision);
    expect(revisions).toEqual([1, 1, 2, 2]);
    const third = handedOver();
    writer.writeAll([[third, HELD]]);
    writer.writeAll([[third, HELD]]);
    expect(of(third.id)?.revision).toBe(3);
    expect(writer.write({ ...third, approval: undefined }, HELD).revision).toBe(3);
  });

  test('each record that is new is reported once, of one and of many', () => {
    const { writer } = ledger();
    const a = itemOn('a');
    const b = itemOn('b');
    writer.write(a, OBSERVED);
    writer.writeAll([
      [a, OBSERVED],
      [b, OBSERVED],
    ]);
    expect(reported).toEqual([`${a.id} observed`, `${b.id} observed`]);
  });

  test('what is recorded in one turn is one transaction, and each gets its own record', async () => {
    const { writer } = ledger();
    const a = itemOn('a');
    const b = itemOn('b');
    const c = itemOn('c');
    writer.write(c, claimed('c'));
    writer.write(c, { state: 'done', code: 'done', reason: 'it is gone' });
    const all = jest.spyOn(writer, 'writeAll');
    const records = await Promise.all([
      writer.writeTogether(a, OBSERVED),
      writer.writeTogether(b, claimed('b')),
      writer.writeTogether(c, OBSERVED),
    ]);
    expect(records.map(({ id, state }) => `${id} ${state}`)).toEqual([
      `${a.id} observed`,
      `${b.id} claimed`,
      `${c.id} done`,
    ]);
    expect(all).toHaveBeenCalledTimes(1);
  });

  test('where they cannot be written, they are not reported as written', async () => {
    const file = openStateFile(':memory:');
    const writer = new LedgerWriter({
      ledger: new Ledger(file),
      executor: 'executor-a',
      identity: () => undefined,
      clock: () => new Date(now),
      onAction: () => undefined,
    });
    file.db.pragma('query_only = true');
    const both = await Promise.allSettled(
      ['a', 'b'].map((it) => writer.writeTogether(itemOn(it), claimed(it))),
    );
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    file.db.pragma('query_only = false');
    expect(await writer.writeTogether(itemOn('a'), claimed('a'))).toMatchObject({
      state: 'claimed',
    });
  });

  test('what a claim rests on is kept', () => {
    const { writer, of } = ledger();
    const foundations = { absences: [], witnesses: [], vacancies: [], rows: [] };
    writer.write(itemOn('a'), { ...claimed('a'), foundations });
    expect(of(itemOn('a').id)).toMatchObject({ foundations });
  });

  test('others on the same thing are those that removed it, and those that are about to', () => {
    const { writer } = ledger();
    const first = itemOn('a');
    const second = itemOn('a', 3);
    const other = itemOn('b');
    writer.write(first, OBSERVED);
    writer.write(other, claimed('b'));
    expect(writer.othersOn(second)).toEqual([]);
    writer.write(first, claimed('a'));
    expect(writer.othersOn(second).map(({ id }) => id)).toEqual([first.id]);
    writer.write(first, { state: 'done', code: 'done', reason: 'it is gone' });
    expect(writer.othersOn(second).map(({ id }) => id)).toEqual([first.id]);
    expect(writer.othersOn(first)).toEqual([]);
  });
});
