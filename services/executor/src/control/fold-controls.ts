import type { Control, EffectiveDecision } from '@ovn-steward/contracts/control/control';
import { planOfControl } from '../plan/plan';
import { aboutOf, holdScopeOf } from '@ovn-steward/contracts/control/control-about';
import { decidedBy, deciderOf } from '@ovn-steward/contracts/control/decided-by';
import { keepingUnder } from '@ovn-steward/contracts/control/keeping';
import type { ControlEntry, ReadControl } from '@ovn-steward/contracts/control/read-control';
import type {
  ApprovedPlan,
  ControlState,
  FindingApproval,
  HeardBy,
  Hold,
  RequestedUndo,
} from './control-state';

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
  const ofCluster = records.flatMap(({ key, read }) => {
    const about = aboutOf(key);
    return about?.cluster === cluster ? [{ about, read }] : [];
  });
  if (ofCluster.length === 0) return state;
  const folded = changeable(state);
  for (const { about, read } of ofCluster) replaceUnder(about, read, folded);
  return folded;
}

/** A state under construction: its own maps, which may be changed. */
type Changeable = {
  -readonly [K in keyof ControlState]: ControlState[K] extends ReadonlyMap<infer Id, infer Of>
    ? Map<Id, Of>
    : ControlState[K];
};

const changeable = (state: ControlState): Changeable => ({
  holds: new Map(state.holds),
  kept: new Map(state.kept),
  effective: new Map(state.effective),
  heard: new Map(state.heard),
  approvals: new Map(state.approvals),
  plans: new Map(state.plans),
  undos: new Map(state.undos),
  givenUp: new Map(state.givenUp),
  ...(state.adopted && { adopted: state.adopted }),
});

/** What stood under the key gives way to what the record says, or to nothing. */
function replaceUnder(
  { kind, id }: NonNullable<ReturnType<typeof aboutOf>>,
  read: ReadControl,
  state: Changeable,
): void {
  const control = 'control' in read ? read.control : undefined;
  const signed = 'control' in read && read.signed === true;
  switch (kind) {
    case 'hold':
      replace(state.holds, id, holdOf(id, read));
      replace(state.effective, id, effectiveOf(id, control));
      break;
    case 'suppress':
    case 'protect': {
      const key = `${kind}/${id}`;
      replace(state.kept, key, keepingUnder(kind, id, read));
      replace(state.effective, key, effectiveKeeping(key, control));
      break;
    }
    case 'heard':
      replace(state.heard, id, heardOf(control));
      break;
    case 'approve':
      replace(state.approvals, id, approvalOf(control, signed));
      break;
    case 'plan':
      replace(state.plans, id, approvedPlan(control, signed));
      break;
    case 'undo':
      replace(state.undos, id, requestedUndo(control));
      break;
    case 'give-up':
      replace(state.givenUp, id, control?.type === 'give-up' ? control : undefined);
      break;
    case 'adopt':
      if (control?.type === 'adopt') state.adopted = control;
      else delete state.adopted;
      break;
  }
}

function replace<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  map.delete(id);
  if (value !== undefined) map.set(id, value);
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

const effectiveOf = (scope: string, control: Control | undefined): EffectiveDecision | undefined =>
  control?.type === 'hold' || control?.type === 'resume'
    ? { about: `hold/${scope}`, id: control.id, type: control.type }
    : undefined;

const effectiveKeeping = (
  about: string,
  control: Control | undefined,
): EffectiveDecision | undefined => {
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

function approvalOf(control: Control | undefined, signed: boolean): FindingApproval | undefined {
  if (control?.type !== 'approve') return undefined;
  return {
    finding: control.finding,
    revision: control.revision,
    by: control.by,
    ...(decidedBy(control) !== control.by && { shownAs: decidedBy(control) }),
    at: control.at,
    ...(signed && { signed }),
    ...(control.identity && { identity: control.identity }),
  };
}

function approvedPlan(control: Control | undefined, signed: boolean): ApprovedPlan | undefined {
  const plan = control?.type === 'plan' ? planOfControl(control) : undefined;
  if (control?.type !== 'plan' || plan === undefined || typeof plan === 'string') return undefined;
  return {
    plan,
    by: control.by,
    at: control.at,
    ...(signed && { signed }),
    overCeilings: control.overCeilings,
  };
}

const requestedUndo = (control: Control | undefined): RequestedUndo | undefined =>
  control?.type === 'undo'
    ? {
        id: control.id,
        by: decidedBy(control),
        at: control.at,
        ...(control.identity && { identity: control.identity }),
      }
    : undefined;
