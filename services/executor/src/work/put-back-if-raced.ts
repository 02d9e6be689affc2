import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Proven } from '../prove/prover';
import type { Item } from './item';
import { noteOf } from './note';
import { putBack } from './put-back';
import type { Work } from './work';

/**
 * Between the last look and the commit an owner may have come: two systems share no transaction. If one is there now, what was removed is
 * put back at once. @returns the record then; undefined when nobody came.
 */
export async function putBackIfRaced(item: Item, { absences }: Proven, done: ActionRecord, work: Work, signal: AbortSignal): Promise<ActionRecord | undefined> {
  const owner = await whoCame(absences, work, signal);
  if (owner === undefined || done.undo === null) return undefined;
  await work.publish(signal);
  try {
    const back = await putBack(done.undo, noteOf(item), work, signal);
    if (back.is === 'back') return work.book.write(item, { state: 'undone', code: 'raced', reason: [`${owner} appeared while it was removed, so it was put back`, ...back.losses].join('; ') });
    return work.book.write(item, { state: 'done', code: 'raced', reason: `${owner} appeared while it was removed, and it cannot be put back: ${back.reason}` });
  } catch (error) {
    return work.book.write(item, { state: 'done', code: 'raced', reason: `${owner} appeared while it was removed, and putting it back failed: ${messageOf(error)}. Undo it: steward undo ${item.id}` });
  }
}

/** The first that is there. What cannot be asked now is no reason to undo: nothing says that anybody came. */
async function whoCame(absences: Proven['absences'], { systems: { kubernetes } }: Work, signal: AbortSignal): Promise<string | undefined> {
  const found = await Promise.all(absences.map(async ({ kind, key }) => {
    const slash = key.indexOf('/');
    const [namespace, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
    const object = await kubernetes.get(kind, namespace, name, signal).catch(() => undefined);
    return object === undefined ? undefined : `${kind} ${key}`;
  }));
  return found.find((it) => it !== undefined);
}
