import { setImmediate as breathe } from 'node:timers/promises';
import type { LedgerEntry } from './ledger-entry';
import type { LedgerWriter } from './ledger-writer';
import type { Item } from '../gate/item';

/** One transaction each; in between, what people decide is heard. */
const AT_ONCE = 200;

/**
 * Records that nothing is done about items, and why, where the state or the code differs from
 * before: figures in a reason change all the time.
 */
export async function recordOnce(
  writer: LedgerWriter,
  entries: readonly (readonly [Item, LedgerEntry])[],
): Promise<void> {
  const unrecorded = entries.filter(([{ id }, { state, code }]) => {
    const stands = writer.stateOf(id);
    return stands?.state !== state || stands.code !== code;
  });
  for (let from = 0; from < unrecorded.length; from += AT_ONCE) {
    writer.writeAll(unrecorded.slice(from, from + AT_ONCE));
    await breathe();
  }
}
