import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { finding } from '../testing/findings';
import { type Item, itemOf } from '../gate/item';
import { Ledger } from '../ledger/ledger';
import type { Proposal } from '../findings/proposal';
import { LedgerWriter } from './ledger-writer';
import { restoredSince, restoreReason } from './restores-lately';
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
  [file, now] = [openStateFile(':memory:'), BEGIN];
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

/** Two rows that are there are claimed in one transaction, and settled by a later process. */
async function settled(name: string, by?: string): Promise<readonly ActionRecord[]> {
  const at = new Date((now += 60_000));
  const rows = [{ table: 'Port_Group', uuid: groups[0]!, name: '', columns: {} }];
  const claims = ['a', 'b'].map((one) => {
    const item = itemAbout(`${name}${one}`, by);
    now += 1;
    return writer.write(item, {
      state: 'claimed',
      code: 'claimed',
      reason: restoreReason(item, at),
      undo: { of: 'rows', rows, links: [] },
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
