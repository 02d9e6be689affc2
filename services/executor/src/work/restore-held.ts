import type { Item } from '../gate/item';
import { inDoubt } from './in-doubt';
import type { LedgerEntry } from './ledger-entry';
import type { ClusterWork } from './work';

/**
 * Why items that were to go back must not, by their ids: what the newest records of their findings
 * say, and a person's word of the last moment.
 */
export async function heldItems(
  items: readonly Item[],
  work: ClusterWork,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const held = new Map<string, LedgerEntry>();
  for (const item of items) {
    const entry = inDoubt(item, work) ?? (await keptNow(item, work, signal));
    if (entry !== undefined) held.set(item.id, entry);
  }
  return held;
}

async function keptNow(
  { finding }: Item,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  const kept = await work.holds.removal(finding, [finding.scope], signal);
  return (
    kept && { state: 'deferred', code: kept.code, reason: `${kept.reason}; nothing was written` }
  );
}

/**
 * Thrown before the write where something of it is held. The transaction is all or nothing, and its
 * rows refer to each other: what is not held goes back by another one, in the next turn.
 */
export class RestoreHeld extends Error {
  constructor(readonly held: ReadonlyMap<string, LedgerEntry>) {
    super('something of what was to go back is held');
  }

  entryOf({ id }: Item): LedgerEntry {
    return { ...(this.held.get(id) ?? WITH_OTHERS), unsent: true };
  }
}

const WITH_OTHERS: LedgerEntry = {
  state: 'deferred',
  code: 'waits',
  reason:
    'something that was to go back with it is held since; nothing was written, and it is decided again without that',
};
