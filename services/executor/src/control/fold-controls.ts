import type { Control, HeededDecision } from '@ovn-steward/contracts/control/control';
import { planOfControl } from '../plan/plan';
import { aboutOf, holdScopeOf } from '@ovn-steward/contracts/control/control-about';
import { decidedBy, deciderOf } from '@ovn-steward/contracts/control/decided-by';
import { keepingUnder } from '@ovn-steward/contracts/control/keeping';
import type { ControlEntry, ReadControl } from '@ovn-steward/contracts/control/read-control';
import type { Hold, FindingApproval, ApprovedPlan, HeardBy, ControlState } from './control-state';

/**
 * The state after these records. Only the last record of each key counts, so that the result does
 * not depend on compaction, and so that a repeated record changes nothing. Records of other
 * clusters are ignored.
 *
 * An unreadable record under the key of a hold holds: it may be a hold. So does one whose author is
 * not proven, for it may lie over a hold (which of them are passed here: `newestOf`). Under any
 * other key such a record decides nothing, and what stood there is over.
 */
export function foldControls(
  state: ControlState,
  cluster: string,
  records: readonly ControlEntry[],
): ControlState {
  if (!records.some(({ key }) => aboutOf(key)?.cluster === cluster)) return state;
  const [holds, kept, heeded, heard, approvals, plans, undos, givenUp] = [
    new Map(state.holds),
    new Map(state.kept),
    new Map(state.heeded),
    new Map(state.heard),
    new Map(state.approvals),
    new Map(state.plans),
    new Map(state.undos),
    new Map(state.givenUp),
  ];
  let adopted = state.adopted;
  for (const { key, read } of records) {
    const about = aboutOf(key);
    if (about?.cluster !== cluster) continue;
    const control = 'control' in read ? read.control : undefined;
    const signed = 'control' in read && read.signed === true;
    switch (about.kind) {
      case 'hold':
        replace(holds, about.id, holdOf(about.id, read));
        replace(heeded, about.id, heededOf(about.id, control));
        break;
      case 'suppress':
      case 'protect': {
        const key = `${about.kind}/${about.id}`;
        replace(kept, key, keepingUnder(about.kind, about.id, read));
        replace(heeded, key, heededKeeping(key, control));
        break;
      }
      case 'heard':
        replace(heard, about.id, heardOf(control));
        break;
      case 'approve':
        replace(
          approvals,
          about.id,
          control?.type === 'approve' ? approvalOf(control, signed) : undefined,
        );
        break;
      case 'plan':
        replace(
          plans,
          about.id,
          control?.type === 'plan' ? approvedPlan(control, signed) : undefined,
        );
        break;
      case 'undo':
        replace(
          undos,
          about.id,
          control?.type === 'undo'
            ? {
                id: control.id,
                by: decidedBy(control),
                at: control.at,
                ...(control.identity && { identity: control.identity }),
              }
            : undefined,
        );
        break;
      case 'give-up':
        replace(givenUp, about.id, control?.type === 'give-up' ? control : undefined);
        break;
      case 'adopt':
        adopted = control?.type === 'adopt' ? control : undefined;
        break;
    }
  }
  return {
    holds,
    kept,
    heeded,
    heard,
    approvals,
    plans,
    undos,
    givenUp,
    ...(adopted && { adopted }),
  };
}

function replace<T>(standing: Map<string, T>, id: string, value: T | undefined): void {
  standing.delete(id);
  if (value !== undefined) standing.set(id, value);
}

function holdOf(id: string, read: ReadControl): Hold | undefined {
  if ('forgotten' in read) return undefined;
  if (!('control' in read))
    return {
      scope: holdScopeOf(id),
      reason:
        'refused' in read
          ? `a record under the key of a hold was refused (${read.why}), and may lie over a hold; resume the same scope to replace it`
          : 'a decision under the key of a hold cannot be read; resume the same scope to replace it',
      by: 'nobody knows',
      at: '',
      until: null,
    };
  if (read.control.type !== 'hold') return undefined;
  const { scope, reason, at, until, except } = read.control;
  return { scope, reason, ...deciderOf(read.control), at, until, ...(except && { except }) };
}

const heededOf = (scope: string, control: Control | undefined): HeededDecision | undefined =>
  control?.type === 'hold' || control?.type === 'resume'
    ? { about: `hold/${scope}`, id: control.id, type: control.type }
    : undefined;

const heededKeeping = (about: string, control: Control | undefined): HeededDecision | undefined => {
  switch (control?.type) {
    case 'suppress':
    case 'unsuppress':
    case 'protect':
    case 'unprotect':
      return { about, id: control.id, type: control.type };
    default:
      return undefined;
  }
};

const heardOf = (control: Control | undefined): HeardBy | undefined =>
  control?.type === 'heard'
    ? {
        since: control.since,
        at: control.at,
        ids: new Set(control.decisions.map(({ id }) => id)),
      }
    : undefined;

const approvalOf = (
  control: Extract<Control, { type: 'approve' }>,
  signed: boolean,
): FindingApproval => ({
  finding: control.finding,
  revision: control.revision,
  by: control.by,
  ...(decidedBy(control) !== control.by && { shownAs: decidedBy(control) }),
  at: control.at,
  ...(signed && { signed }),
  ...(control.identity && { identity: control.identity }),
});

function approvedPlan(
  control: Extract<Control, { type: 'plan' }>,
  signed: boolean,
): ApprovedPlan | undefined {
  const plan = planOfControl(control);
  return typeof plan === 'string'
    ? undefined
    : {
        plan,
        by: control.by,
        at: control.at,
        ...(signed && { signed }),
        overCeilings: control.overCeilings,
      };
}
