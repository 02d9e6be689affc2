import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Approval } from './item';
import type { Applicant, AdmissionDecision } from './admission';

/** What only a person can give. */
export function permissionMissing(
  { finding: { rule, remedy }, action, mode, approval }: Applicant,
  wanted: Settings['executor']['approvers'] = {},
): AdmissionDecision | undefined {
  // A person read the plan as a whole and approved it for this cluster: that overrides the mode.
  if (mode === 'observe' && (approval === undefined || approval.plan === null))
    return {
      state: 'observed',
      code: 'mode',
      reason: `${approval ? `${approval.by} approved it, but ` : ''}rule ${rule} is only observed: set executor.rules.${rule} to propose or enforce to have something done`,
    };
  if (action === undefined)
    return {
      state: 'deferred',
      code: 'unsupported',
      reason: `this version has no action ${remedy.action}`,
    };
  if (approval === undefined && action.onlyApproved)
    return {
      state: 'proposed',
      code: 'approval',
      reason: `${remedy.action} is never done without a person: steward approve allows it`,
    };
  if (approval === undefined && mode === 'propose')
    return {
      state: 'proposed',
      code: 'approval',
      reason: `rule ${rule} only proposes: steward approve allows it`,
    };
  const least = Object.hasOwn(wanted, rule) ? wanted[rule]! : 0;
  return peopleOf(approval) < least
    ? { state: 'proposed', code: 'approval', reason: fewText(rule, least, approval) }
    : undefined;
}

/**
 * How many people are known to have approved it. An unsigned record may give any name, also that of
 * a person who signs: all unsigned ones count as one person at most.
 */
const peopleOf = (approval: Approval | undefined): number =>
  approval === undefined ? 0 : Math.max(1, approval.signers?.length ?? 0);

function fewText(rule: string, least: number, approval: Approval | undefined): string {
  const wants = `rule ${rule} wants ${least} people to approve it (executor.approvers)`;
  if (approval === undefined) return `${wants}, and nobody has: steward approve, by another`;
  const { approvers = [approval.by], signers = [] } = approval;
  const names = approvers.join(', ');
  if (approvers.every((it) => signers.includes(it)))
    return `${wants}, and ${names} did: steward approve, by another`;
  return `${wants}, and ${names} did, of whom ${signers.length === 0 ? 'nobody' : `only ${signers.join(', ')}`} signed it: approvals without a signature count together as one person. Give each approver a key, and the executor signing.trustedKeys (docs/signing.md)`;
}
