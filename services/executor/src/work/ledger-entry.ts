import type { FailureCode } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Item } from '../gate/item';
import type { Decision } from '../ledger/decide';

/** What is to be recorded; a field that is left out stays as it was. */
export interface LedgerEntry
  extends
    Pick<ActionRecord, 'state' | 'reason'>,
    Partial<Pick<ActionRecord, 'proof' | 'owner' | 'scope' | 'foundations'>> {
  readonly code: ActionCode | FailureCode;
  readonly undo?: Undo;
  /** Of a claim that is put off: nothing was sent under it, or all that was sent was refused. */
  readonly unsent?: boolean;
}

/** Who writes, and of which living systems. */
interface Author {
  readonly executor: string;
  readonly identity: ClusterIdentity | undefined;
}

/**
 * What the entry says about the item.
 * @param known the item's record, which says what the entry leaves out.
 */
export function decisionFor(
  { id, finding, mode, approval }: Item,
  { state, code, reason, proof, owner, scope, undo, foundations }: LedgerEntry,
  known: ActionRecord | undefined,
  { executor, identity }: Author,
): Decision {
  return {
    id,
    cluster: finding.cluster,
    ...(identity && { identity }),
    rule: finding.rule,
    finding: {
      id: finding.id,
      revision: finding.revision,
      ...(finding.confirmedAt !== null && { confirmedAt: finding.confirmedAt }),
    },
    action: finding.remedy.action,
    target: finding.remedy.target,
    state,
    code,
    reason,
    mode,
    plan: approval?.plan ?? null,
    approvedBy: approversOf(approval),
    proof: proof ?? known?.proof ?? finding.proof,
    owner: owner ?? known?.owner ?? finding.owner,
    scope: scope ?? known?.scope ?? scopeOf(finding),
    undo: undo ?? known?.undo ?? null,
    executor,
    ...(foundations && { foundations }),
  };
}

const approversOf = (approval: Item['approval']): string | null =>
  approval === undefined
    ? null
    : (approval.shownAs ?? approval.approvers ?? [approval.by]).join(', ');

const scopeOf = ({ scope }: Item['finding']): ActionRecord['scope'] => ({
  vpc: scope?.vpc ?? null,
  subnet: scope?.subnet ?? null,
});
