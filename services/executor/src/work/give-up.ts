import {
  type ActionRecord,
  GIVEN_UP,
  isActionTerminating,
} from '@ovn-steward/contracts/actions/action';
import type { ControlState, GivenUp } from '../control/control-state';
import type { Ledger } from '../ledger/ledger';
import { isRaced } from './record-removed';
import { isUnsent } from './settle';
import { isUnderWay } from './unsettled';
import type { ClusterWork } from './work';

/**
 * Ends the claims that people gave up, as they are: nothing is read from the systems or written to
 * them, and what would undo each stays in its record. Respected is who meant this claim of this
 * action, on these systems.
 * @returns the decisions that are over: of those, nothing is under way here.
 */
export function giveUp(
  { givenUp }: Pick<ControlState, 'givenUp'>,
  ledger: Pick<Ledger, 'get'>,
  work: Pick<ClusterWork, 'belonging' | 'unproven' | 'ledger'>,
): readonly GivenUp[] {
  const over: GivenUp[] = [];
  for (const decision of givenUp.values()) {
    const record = ledger.get(decision.of);
    if (record !== undefined && isMeant(record, decision)) {
      const doubt = work.unproven.why(record);
      if (doubt !== undefined) {
        work.unproven.refused('give-up', record.id, doubt);
        continue;
      }
      const why = work.belonging.refuses(decision.identity) ?? work.belonging.foreign(record);
      if (why !== undefined) {
        work.belonging.refused('give-up', record.id, why);
        continue;
      }
      work.ledger.goOn(record, {
        state: isRaced(record) && record.state === 'done' ? 'done' : 'failed',
        code: GIVEN_UP,
        reason: `${decision.by} gave it up (${decision.reason}): ${unknownOf(record)}`,
      });
    }
    over.push(decision);
  }
  return over;
}

export const isMeant = (record: ActionRecord, { claimedAt }: GivenUp): boolean =>
  isUnderWay(record) && record.claimedAt === claimedAt;

/** The outcome that is no longer checked. */
function unknownOf(record: ActionRecord): string {
  if (isActionTerminating(record))
    return 'Kubernetes took its deletion, and it is not known whether it is gone';
  if (record.state === 'done')
    return 'it was removed and its owner came meanwhile, and it is not known whether it was put back';
  if (isUnsent(record)) return 'nothing was sent under it';
  return 'it is not known whether it was removed';
}
