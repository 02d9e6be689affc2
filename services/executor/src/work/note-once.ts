import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import type { Book } from './book';
import type { Item } from './item';

/** Notes that nothing is done about an item, and why, when that is another reason than before: figures in a sentence change all the time. */
export function noteOnce(book: Book, item: Item, entry: Pick<ActionRecord, 'state' | 'code' | 'reason'>): void {
  const record = book.of(item.id);
  if (record?.state !== entry.state || record.code !== entry.code) book.write(item, entry);
}
