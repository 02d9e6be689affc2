import type { RestoreView } from '@ovn-steward/backup/restore';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { FormerContent } from '@ovn-steward/contracts/findings/finding';
import type { Item } from '../gate/item';
import type { LedgerEntry } from './ledger-entry';
import { claimLeftOpen, restoreReason, settledAs } from './earlier-restores';
import type { ClusterWork } from './work';

/** What a claim keeps is which rows are inserted: they are not removed again (`restore-rows`). */
export const restoreClaim = (item: Item, at: Date): LedgerEntry => ({
  state: 'claimed',
  code: 'claimed',
  reason: restoreReason(item, at),
  undo: { of: 'rows', rows: rowsOf(item.finding.was ?? []), links: [] },
});

/**
 * Without rows that only moved to another tier: that they are there does not show that they are
 * back.
 */
const rowsOf = (was: readonly FormerContent[]): (Undo & { of: 'rows' })['rows'] =>
  was
    .filter(({ gone }) => gone)
    .map(({ table, uid: uuid, row }) => ({
      table,
      uuid,
      name: typeof row['name'] === 'string' ? row['name'] : '',
      columns: {},
    }));

/** What ends an item of which all was left out while others went back; undefined for the others. */
export function leftBehind(
  { finding: { was = [] } }: Item,
  { plan }: Pick<RestoreView, 'plan'>,
): LedgerEntry | undefined {
  const left = plan.leftOut.filter(({ uuid }) => was.some(({ uid }) => uid === uuid));
  const [why] = left;
  return why === undefined || left.length < was.length
    ? undefined
    : {
        state: 'refused',
        code: 'changed',
        reason: `it did not go back with the rest: ${textOf(why)}`,
      };
}

const textOf = ({ table, uuid, says }: RestoreView['plan']['leftOut'][number]): string =>
  `${table} ${uuid}: ${says}; steward restore shows the difference`;

const unable = ({
  plan: { leftOut, losses },
}: Pick<RestoreView, 'plan'>): Pick<LedgerEntry, 'code' | 'reason'> => {
  const [why] = [...leftOut, ...losses];
  return why === undefined
    ? { code: 'gone', reason: 'all that was damaged is there again' }
    : {
        code: 'changed',
        reason: `nothing can be put back: ${textOf(why)}`,
      };
};

/**
 * Ends items of which there is nothing to put back. One of which a claim was left open was put back
 * under that: it is done, and counts.
 */
export function endWithout(
  items: readonly Item[],
  view: Pick<RestoreView, 'plan'>,
  { ledger }: Pick<ClusterWork, 'ledger'>,
  at: Date,
): void {
  const entry = { state: 'refused', ...unable(view) } as const;
  for (const item of items) {
    const claim = entry.code === 'gone' ? claimLeftOpen(ledger.of(item.id)) : undefined;
    if (claim !== undefined) ledger.write(item, { ...restoreClaim(item, at), reason: claim });
    ledger.write(item, claim === undefined ? entry : settledAs(claim));
  }
}
