import { setImmediate as breathe } from 'node:timers/promises';
import type { LedgerEntry } from './ledger-entry';
import type { LedgerWriter } from './ledger-writer';
import type { Item } from '../gate/item';

/** One transaction each; in between, what people decide is heard. */
const AT_ONCE = 200;

/**
 * Records that nothing is done about items, and why, where the state or the code differs from
 * before: figures in a reason change all the time. Also where a plan that names the item was just
 * handed over: its record shows that an executor has the plan.
 */
export async function recordOnce(
  writer: LedgerWriter,
  entries: readonly (readonly [Item, LedgerEntry])[],
): Promise<void> {
  const unrecorded = entries.filter(([item, { state, code }]) => {
    const stands = writer.stateOf(item.id);
    if (stands?.state !== state || stands.code !== code) return true;
    const plan = item.approval?.plan ?? null;
    return plan !== null && (stands.plan !== plan || writer.isNewlyHandedOver(item));
  });
  for (let from = 0; from < unrecorded.length; from += AT_ONCE) {
    writer.writeAll(unrecorded.slice(from, from + AT_ONCE));
    await breathe();
  }
}
