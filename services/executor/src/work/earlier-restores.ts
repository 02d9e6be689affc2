import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Ledger } from '../ledger/ledger';
import type { Item } from '../gate/item';
import type { LedgerEntry } from './ledger-entry';

/**
 * Why a claim to put rows back stands; all claims of one transaction say the same, and no other's
 * do.
 */
export const restoreReason = ({ approval }: Pick<Item, 'approval'>, at: Date): string =>
  `${approval === undefined ? 'the rule is enforced' : `${approval.by} approved it`}; claimed with all that goes back at ${at.toISOString()}`;

/** Between why a claim stands and what became of it, where a process left it open. */
const UNRECORDED = '; its outcome was not recorded';

const claimIn = (reason: string): string => reason.split(UNRECORDED)[0] ?? reason;

/** What ends a claim that was left open, and is done. */
export const settledAs = (claim: string): LedgerEntry => ({
  state: 'done',
  code: 'settled',
  reason: `${claim}${UNRECORDED}, and the rows stand again`,
});

/** What defers a claim that was left open where its rows do not show whether it is done. */
export const decidedAgain = (claim: string): LedgerEntry => ({
  state: 'deferred',
  code: 'unsent',
  unsent: true,
  reason: `${claim}${UNRECORDED}; it is decided again`,
});

type Outcome = Pick<ActionRecord, 'state' | 'code' | 'reason'>;

/** Why the claim stood that was left open and is decided again; undefined where none was. */
export const claimLeftOpen = (record: Outcome | undefined): string | undefined =>
  record?.state === 'deferred' && record.code === 'unsent' && record.reason.includes(UNRECORDED)
    ? claimIn(record.reason)
    : undefined;

/**
 * How many transactions put something back since then, without a person. Those of one transaction
 * say the same, also where a later process settled them: it keeps the reason of the claim. One that
 * was left open and may have been written counts, until it is decided again.
 *
 * @param since milliseconds since 1970.
 */
export const restoredSince = (
  ledger: Pick<Ledger, 'list'>,
  cluster: string,
  since: number,
): number => {
  const of = (state: ActionRecord['state']): readonly ActionRecord[] =>
    ledger.list({ cluster, rule: 'neighbour-damaged', state });
  const written = [
    ...of('done').map(({ endedAt, ...it }) => ({ ...it, when: endedAt })),
    ...of('deferred')
      .filter((it) => claimLeftOpen(it) !== undefined)
      .map((it) => ({ ...it, when: it.at })),
  ];
  return new Set(
    written
      .filter(
        ({ approvedBy, when }) => approvedBy === null && when !== null && Date.parse(when) >= since,
      )
      .map(({ reason }) => claimIn(reason)),
  ).size;
};
