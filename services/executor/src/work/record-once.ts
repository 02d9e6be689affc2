import { setImmediate as breathe } from 'node:timers/promises';
import type { LedgerWriter, Entry } from './ledger-writer';
import type { Item } from '../gate/item';

/** One transaction each; in between, what people decide is heard. */
const AT_ONCE = 200;

/** Notes that nothing is done about items, and why, where that is another reason than before: figures in a sentence change all the time. */
export async function recordOnce(
  book: LedgerWriter,
  entries: readonly (readonly [Item, Entry])[],
): Promise<void> {
  const news = entries.filter(([{ id }, { state, code }]) => {
    const stands = book.stateOf(id);
    return stands?.state !== state || stands.code !== code;
  });
  for (let from = 0; from < news.length; from += AT_ONCE) {
    book.writeAll(news.slice(from, from + AT_ONCE));
    await breathe();
  }
}
