import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Authenticated, Control } from '@ovn-steward/contracts/control/control';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Proposal } from '../findings/proposal';
import { isUnderWay } from '../work/unsettled';
import { commonIdentity } from './common-identity';
import type { DecisionRequest } from './decision-request';

/** What a decision is held against: what this process knows of its cluster. */
export interface DecidedAbout {
  readonly cluster: string;
  readonly approvers: Settings['executor']['approvers'];
  proposals(): readonly Proposal[];
  action(id: string): ActionRecord | undefined;
  actionsOfPlan(plan: string): readonly ActionRecord[];
  actionsOfFinding(finding: string): readonly ActionRecord[];
}

/** Who decides and when. */
export interface DecisionOrigin {
  readonly id: string;
  readonly at: Date;
  readonly authenticated: Authenticated;
  /**
   * Whose word an approval is, where a rule wants several: the id of the key that signs it, or
   * where none does the user.
   */
  readonly approver: string;
}

/**
 * The decision that a request describes, as it is published.
 * @throws Failure `input-not-found` where its subject is not known here, `config-invalid` where it
 * could have no effect.
 */
export function makeDecision(
  request: DecisionRequest,
  about: DecidedAbout,
  { id, at, authenticated, approver }: DecisionOrigin,
): Control {
  if (request.cluster !== undefined && request.cluster !== about.cluster)
    throw new Failure(
      'input-not-found',
      `This executor acts for cluster ${about.cluster}, and decisions about another cluster have no effect here. Name the executor of that cluster. Nothing was decided.`,
    );
  const common = {
    version: 1 as const,
    id,
    cluster: about.cluster,
    by: authenticated.user,
    authenticated,
    at: at.toISOString(),
  };
  switch (request.type) {
    case 'approve':
      return { ...common, ...approvalOf(request, about, approver) };
    case 'withdraw':
      return { type: 'withdraw', ...common, of: withdrawnOf(request.of, about, approver) };
    case 'undo':
      return {
        type: 'undo',
        ...common,
        ...commonIdentity(undone(request.of, about)),
        of: request.of,
      };
    case 'give-up':
      return { ...common, ...givenUp(request, about) };
    case 'hold': {
      const { except, ...rest } = request;
      return { ...common, ...rest, ...(except.length > 0 && { except }), cluster: about.cluster };
    }
    default:
      return { ...common, ...request, cluster: about.cluster };
  }
}

type Request<T extends DecisionRequest['type']> = Extract<DecisionRequest, { type: T }>;
type Content<T extends Control['type']> = Omit<
  Extract<Control, { type: T }>,
  'version' | 'id' | 'cluster' | 'by' | 'at' | 'authenticated'
>;

function approvalOf(
  { finding, revision }: Request<'approve'>,
  about: DecidedAbout,
  approver: string,
): Content<'approve'> {
  const proposal = about.proposals().find((it) => it.id === finding);
  if (proposal === undefined)
    throw new Failure(
      'input-not-found',
      `No confirmed finding with a remedy has the id ${finding}: it is resolved, suspected, suppressed, has no remedy, or was not read yet. Nothing was approved.`,
    );
  if (proposal.revision !== revision)
    throw new Failure(
      'config-invalid',
      `Finding ${finding} has revision ${proposal.revision} now, and ${revision} was read: read it again. Nothing was approved.`,
    );
  const decided = about.actionsOfFinding(finding).filter((it) => it.finding.revision === revision);
  return {
    type: 'approve',
    ...commonIdentity(decided),
    finding,
    revision,
    ...(wantsSeveral(proposal.rule, about) && { approver }),
  };
}

const wantsSeveral = (rule: string, { approvers }: DecidedAbout): boolean =>
  Object.hasOwn(approvers, rule);

/** Where a rule wants several people, each withdraws their own approval. */
function withdrawnOf(of: string, about: DecidedAbout, approver: string): string {
  const finding = /^approve\/(.+)$/.exec(of)?.[1];
  const rule = about.proposals().find((it) => it.id === finding)?.rule;
  return rule !== undefined && wantsSeveral(rule, about) ? `${of}/${approver}` : of;
}

function undone(of: string, about: DecidedAbout): readonly ActionRecord[] {
  const action = about.action(of);
  const known = action === undefined ? about.actionsOfPlan(of) : [action];
  const ours = known.filter((it) => it.cluster === about.cluster && it.undo !== null);
  if (ours.length === 0)
    throw new Failure(
      'input-not-found',
      `Nothing can be put back of ${of}: no action or plan of this cluster has that id, or nothing of it was removed. Nothing was asked for.`,
    );
  return ours;
}

function givenUp(
  { of, claimedAt, reason }: Request<'give-up'>,
  about: DecidedAbout,
): Content<'give-up'> {
  const action = about.action(of);
  if (action === undefined || action.cluster !== about.cluster)
    throw new Failure('input-not-found', `No action of this cluster has the id ${of}.`);
  if (!isUnderWay(action) || action.claimedAt !== claimedAt || action.unsettled === undefined)
    throw new Failure(
      'config-invalid',
      `Action ${of} is ${action.state}: that claim is settled, or no executor has failed to settle it so far. Nothing was decided.`,
    );
  return { type: 'give-up', ...commonIdentity([action]), of, claimedAt, reason };
}
