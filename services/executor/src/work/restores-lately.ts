import type { Ledger } from '../ledger/ledger';
import type { Item } from '../gate/item';

/**
 * Why a claim to put rows back stands; all claims of one transaction say the same, and no other's
 * do.
 */
export const restoreReason = ({ approval }: Pick<Item, 'approval'>, at: Date): string =>
  `${approval === undefined ? 'the rule is enforced' : `${approval.by} approved it`}; claimed with all that goes back at ${at.toISOString()}`;

/**
 * How many transactions put something back since then, without a person. Those of one transaction
 * say the same, also where a later process settled them: it keeps the reason of the claim.
 *
 * @param since milliseconds since 1970.
 */
export const restoredSince = (
  ledger: Pick<Ledger, 'list'>,
  cluster: string,
  since: number,
): number =>
  new Set(
    ledger
      .list({ cluster, rule: 'neighbour-damaged', state: 'done' })
      .filter(
        ({ approvedBy, endedAt }) =>
          approvedBy === null && endedAt !== null && Date.parse(endedAt) >= since,
      )
      .map(({ reason }) => reason),
  ).size;
