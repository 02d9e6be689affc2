import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { finding } from '../testing/findings';
import { type Item, itemOf } from '../gate/item';
import { Ledger } from '../ledger/ledger';
import type { Proposal } from '../findings/proposal';
import { LedgerWriter } from './ledger-writer';
import { endWithout } from './restore-ends';
import { restoredSince, restoreReason } from './earlier-restores';
import { settleRestore } from './settle-restore';
import type { ClusterWork } from './work';

const never = new AbortController().signal;
const BEGIN = Date.parse('2026-03-02T10:00:00Z');
let file: StateFile;
let ledger: Ledger;
let writer: LedgerWriter;
let now: number;
let groups: readonly string[];
let work: ClusterWork;

beforeEach(async () => {
  const systems = await recordedSystems('leaky');
  file = openStateFile(':memory:');
  now = BEGIN;
  ledger = new Ledger(file);
  writer = new LedgerWriter({
    ledger,
    executor: 'this',
    identity: () => undefined,
    clock: () => new Date(now),
    onAction: () => undefined,
  });
  groups = [...systems.northbound.database.rows('Port_Group').keys()];
  work = {
    systems,
    ledger: writer,
    belonging: { check: async () => undefined },
  } as unknown as ClusterWork;
});
afterEach(() => file.close());

const itemAbout = (name: string, by?: string): Item =>
  itemOf(
    finding(name, { rule: 'neighbour-damaged', cluster: RECORDED_CLUSTER }) as Proposal,
    'enforce',
    by === undefined ? undefined : ({ by, plan: null } as never),
  );

const NOWHERE = 'f0000000-0000-4000-8000-00000000000f';

/**
 * Two findings are claimed in one transaction, and settled by a later process; `uuids`: the row of
 * each, one that is there by default.
 */
async function settled(
  name: string,
  by?: string,
  uuids: readonly string[] = [groups[0]!, groups[0]!],
): Promise<readonly ActionRecord[]> {
  const at = new Date((now += 60_000));
  const claims = uuids.map((uuid, number) => {
    const item = itemAbout(`${name}${'ab'[number]}`, by);
    now += 1;
    return writer.write(item, {
      state: 'claimed',
      code: 'claimed',
      reason: restoreReason(item, at),
      undo: { of: 'rows', rows: [{ table: 'Port_Group', uuid, name: '', columns: {} }], links: [] },
    });
  });
  const ended: ActionRecord[] = [];
  for (const claim of claims) {
    now += 1;
    ended.push(await settleRestore(claim, work, never));
  }
  return ended;
}
const count = (since = BEGIN): number => restoredSince(ledger, RECORDED_CLUSTER, since);

test('each transaction that a later process settled counts, and counts once', async () => {
  expect((await settled('x')).map(({ state, code }) => `${state} ${code}`)).toEqual([
    'done settled',
    'done settled',
  ]);
  expect(count()).toBe(1);
  await settled('y');
  const before = now;
  await settled('z');
  expect([count(), count(before + 1)]).toEqual([3, 1]);
});

test('what a person approved does not count, nor what was not done', async () => {
  await settled('x', 'anna');
  writer.write(itemAbout('deferred'), { state: 'deferred', code: 'held', reason: 'a hold' });
  expect(count()).toBe(0);
});

test('one whose rows do not show whether it was written counts, once, until it is decided again', async () => {
  const ended = await settled('x', undefined, [groups[0]!, NOWHERE]);
  expect(ended.map(({ state, code }) => `${state} ${code}`)).toEqual([
    'done settled',
    'deferred unsent',
  ]);
  expect(count()).toBe(1);
  await settled('y', undefined, [NOWHERE, NOWHERE]);
  expect(count()).toBe(2);
  for (const one of ['ya', 'yb'])
    writer.write(itemAbout(one), { state: 'deferred', code: 'held', reason: 'a hold' });
  expect(count()).toBe(1);
});

test('one that is seen as done when it is decided again is done, and counts once', async () => {
  const plan = { leftOut: [], losses: [] } as unknown as Parameters<typeof endWithout>[1]['plan'];
  await settled('x', undefined, [groups[0]!, NOWHERE]);
  await settled('y', undefined, [NOWHERE, NOWHERE]);
  const items = ['xb', 'ya', 'yb', 'other'].map((one) => itemAbout(one));
  endWithout(items, { plan }, work, new Date((now += 60_000)));
  expect(items.map(({ id }) => writer.stateOf(id)).map((it) => `${it?.state} ${it?.code}`)).toEqual(
    ['done settled', 'done settled', 'done settled', 'refused gone'],
  );
  expect(count()).toBe(2);
});
