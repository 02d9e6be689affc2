import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { ClusterWork } from './work';

/** Why nothing is done any more about a record of a cluster that was rebuilt. */
export const overText = (why: string): string =>
  `${why}; a person said that the cluster is another now: its outcome was not followed, and nothing of it is carried out or put back`;

/**
 * Those of open claims, or of what is being put back, that are of the systems the ledger belongs
 * to, and whose author is proven. For the others nothing is read and nothing sent: those that a
 * person declared over end so, and the rest stays for the executor that acts on those systems, or
 * made them.
 */
export const oursAmong = (
  records: readonly ActionRecord[],
  what: 'claim' | 'race',
  { belonging, unproven, ledger }: Pick<ClusterWork, 'belonging' | 'unproven' | 'ledger'>,
): readonly ActionRecord[] =>
  records.filter((record) => {
    const doubt = unproven.why(record);
    if (doubt !== undefined) {
      unproven.refused(what, record.id, doubt);
      return false;
    }
    const why = belonging.foreign(record);
    if (why === undefined) return true;
    belonging.refused(what, record.id, why);
    if (belonging.isOver(record))
      ledger.goOn(record, {
        state: what === 'claim' ? 'failed' : 'done',
        code: 'other-cluster',
        reason: overText(why),
      });
    return false;
  });
