import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { callOff } from './call-off';
import type { LedgerEntry } from './ledger-entry';
import type { Item } from '../gate/item';
import { heldScopeOf } from '../gate/hold-check';
import { observeTarget } from './observe-target';
import { recordRemoved } from './record-removed';
import type { ClusterWork } from './work';

/**
 * Ends an item of which an earlier attempt under the same claim did arrive. Where one may have been
 * sent to Kubernetes and did not arrive, it does not any more: it is called off. What became of the
 * thing says more than what is true of it now.
 * @throws Failure when it cannot be known, or called off: the claim stays open.
 */
export async function arrivedBefore(
  item: Item,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<ActionRecord | undefined> {
  if (!unsure) return undefined;
  const { target } = item.finding.remedy;
  if (target.source === 'kubernetes')
    await callOff(
      target,
      work.systems.kubernetes,
      (until) => work.holds.now(heldScopeOf(work.ledger.of(item.id)!), 'call-off', until),
      signal,
    );
  const seen = await observeTarget(target, work.systems, signal);
  if (seen === 'there') return undefined;
  return recordRemoved(
    {
      seen,
      claim: work.ledger.of(item.id)!,
      code: 'settled',
      reason: `it was sent without an answer, and is ${seen}`,
      write: (entry) => work.ledger.write(item, entry),
    },
    work,
    signal,
  );
}

/**
 * Records why an item was not done, unless an earlier attempt did it after all. What was claimed
 * may meanwhile be another executor's, which does it: then the outcome is not known here.
 */
export async function notDone(
  item: Item,
  entry: LedgerEntry,
  work: ClusterWork,
  unsure: boolean,
  signal: AbortSignal,
): Promise<ActionRecord> {
  if (work.ledger.stateOf(item.id)?.state === 'claimed') await work.fence(signal);
  return (
    (await arrivedBefore(item, work, unsure, signal)) ??
    work.ledger.write(item, { ...entry, unsent: isCertain(item, unsure) })
  );
}

/** Whether nothing was sent, or nothing that was sent arrives any more. */
const isCertain = ({ finding }: Item, unsure: boolean): boolean =>
  !unsure || finding.remedy.target.source === 'kubernetes';
