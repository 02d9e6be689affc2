import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Item } from '../gate/item';
import type { LedgerEntry } from './ledger-entry';
import type { LedgerWriter } from './ledger-writer';
import { recordOnce } from './record-once';

const HELD = { state: 'deferred', code: 'held', reason: 'anna holds it' } as LedgerEntry;

/** The items that are recorded, over a record that is held and of that plan. */
async function recorded(
  plan: string | null,
  under: string | null,
  isNewlyHandedOver = false,
): Promise<readonly string[]> {
  const stands = { state: 'deferred', code: 'held', plan } as ActionRecord;
  const ids: string[] = [];
  const writer = {
    stateOf: () => stands,
    isNewlyHandedOver: () => isNewlyHandedOver,
    writeAll: (entries: readonly (readonly [Item, LedgerEntry])[]) =>
      ids.push(...entries.map(([{ id }]) => id)),
  } as unknown as LedgerWriter;
  const approval = under === null ? undefined : { by: 'anna', plan: under, overCeilings: false };
  await recordOnce(writer, [[{ id: 'a', approval } as unknown as Item, HELD]]);
  return ids;
}

test('what waits as before is recorded again only for a plan that was just handed over', async () => {
  expect(await recorded(null, null)).toEqual([]);
  expect(await recorded(null, 'plan-1')).toEqual(['a']);
  expect(await recorded('plan-1', 'plan-1')).toEqual([]);
  expect(await recorded('plan-1', 'plan-1', true)).toEqual(['a']);
  expect(await recorded('plan-1', null)).toEqual([]);
});
