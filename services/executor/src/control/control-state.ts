import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Control, HeededDecision, Scope } from '@ovn-steward/contracts/control/control';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { planOfControl, type Plan } from '../plan/plan';
import { aboutOf, holdScopeOf } from '@ovn-steward/contracts/control/control-about';
import { decidedBy } from '@ovn-steward/contracts/control/decided-by';
import { endOfKeeping, type Keeping, keepingUnder } from '@ovn-steward/contracts/control/keeping';
import type { ControlEntry, ReadControl } from '@ovn-steward/contracts/control/read-control';

/** A hold as it stands, whether or not its time is over. */
export interface Hold {
  readonly scope: Scope;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  /** RFC 3339; null: until a resume. */
  readonly until: string | null;
  /** What it lets through (`HOLD_EXCEPTIONS`); nothing by default. */
  readonly except?: readonly string[];
}

/** That a person allowed one revision of a finding. */
export interface FindingApproval {
  readonly finding: string;
  readonly revision: number;
  readonly by: string;
  /** For people: who decided, where `by` only vouches for him. */
  readonly shownAs?: string;
  readonly at: string;
  /** Whether that name is proven by a key; else anybody may have given it. */
  readonly signed?: true;
  /** Of which living systems it was decided, where it says so. */
  readonly identity?: ClusterIdentity;
}

/** A plan that a person approved to be carried out. The ledger has its outcome. */
export interface ApprovedPlan {
  readonly plan: Plan;
  readonly by: string;
  readonly at: string;
  /** As of an approval. */
  readonly signed?: true;
  readonly overCeilings: boolean;
}

/** A person's request to put something back. */
export interface RequestedUndo {
  /** Of the request: another one about the same has another id. */
  readonly id: string;
  readonly by: string;
  readonly at: string;
  /** Of which living systems it was decided, where it says so. */
  readonly identity?: ClusterIdentity;
}

/** That a person wants a claim ended as it is. */
export type GivenUp = Extract<Control, { type: 'give-up' }>;

/** That a person said which living systems a cluster is now. */
export interface Adoption {
  readonly id: string;
  readonly to: ClusterIdentity;
  /** Whether records that do not say of which systems they are count as of these. */
  readonly unnamed: boolean;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

/** What an executor said last of the decisions it heeds. */
export interface HeardBy {
  /** When it began to follow decisions, and when it said this; RFC 3339. */
  readonly since: string;
  readonly at: string;
  /** The ids of the holds and resumes it heeds. */
  readonly ids: ReadonlySet<string>;
}

/** What people decided about one cluster, as it stands. */
export interface ControlState {
  /** By the text of their scope. */
  readonly holds: ReadonlyMap<string, Hold>;
  /** What people suppressed or protected, by the end of its key: `suppress/<selector>`, `protect/<selector>`. */
  readonly kept: ReadonlyMap<string, Keeping>;
  /** The hold or resume that counts last of each scope, by the scope's text, and what counts last under each key of `kept`, in the order of the log; none where that cannot be read. */
  readonly heeded: ReadonlyMap<string, HeededDecision>;
  /** By the name of the executor; one that said that it follows no more is not among them. */
  readonly heard: ReadonlyMap<string, HeardBy>;
  /** By the finding's id; where several people approve it, by that and whose word it is. */
  readonly approvals: ReadonlyMap<string, FindingApproval>;
  /** By their ids. */
  readonly plans: ReadonlyMap<string, ApprovedPlan>;
  /** By the id of the action or plan. */
  readonly undos: ReadonlyMap<string, RequestedUndo>;
  /** By the id of the action. */
  readonly givenUp: ReadonlyMap<string, GivenUp>;
  readonly adopted?: Adoption;
}

export const NOTHING_DECIDED: ControlState = {
  holds: new Map(),
  kept: new Map(),
  heeded: new Map(),
  heard: new Map(),
  approvals: new Map(),
  plans: new Map(),
  undos: new Map(),
  givenUp: new Map(),
};

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

/** What is carried out once, and then over. */
export type OneTimeRequest = ApprovedPlan | RequestedUndo | GivenUp;

/**
 * The state without what is over; the same object where nothing of it is: a plan may be as large as
 * a record of the log. If its record is read again, it is back.
 */
export function withoutDone(state: ControlState, over: ReadonlySet<OneTimeRequest>): ControlState {
  const { plans, undos, givenUp } = state;
  const standing = [...plans.values(), ...undos.values(), ...givenUp.values()];
  if (!standing.some((it) => over.has(it))) return state;
  const left = <T extends OneTimeRequest>(
    standing: ReadonlyMap<string, T>,
  ): ReadonlyMap<string, T> => new Map([...standing].filter(([, it]) => !over.has(it)));
  return { ...state, plans: left(plans), undos: left(undos), givenUp: left(givenUp) };
}

/** The holds in force. One whose end cannot be read has none. */
export const holdsAt = ({ holds }: ControlState, now: Date): readonly Hold[] =>
  [...holds.values()].filter(
    ({ until }) => until === null || !(Date.parse(until) <= now.getTime()),
  );

/** What is suppressed or protected now. */
export const keptAt = ({ kept }: Pick<ControlState, 'kept'>, now: Date): readonly Keeping[] =>
  [...kept.values()].filter((it) => now.getTime() < endOfKeeping(it));

/** Two machines' clocks agree within that. */
const APART_MS = 5 * 60_000;

/**
 * Who approved this revision of the finding, one entry for each name that is proven and each that
 * is only given; empty when nobody did. A thing that died, came back and died again starts its
 * revisions anew: an approval from before it was first seen was for the earlier death.
 *
 * Compared with `firstSeen`, not `confirmedAt`: the latter is by the sources' clock, the approval
 * by the approver's, and what can be approved was first seen a grace period before. So the
 * approver's clock may be behind by the grace period and five minutes; beyond that an approval is
 * ignored. Nor does the tolerance admit an old one: what is resolved is remembered much longer than
 * that, and its revisions continue.
 */
export function approvalsFor(
  { approvals }: Pick<ControlState, 'approvals'>,
  { id, revision, firstSeen }: Pick<Finding, 'id' | 'revision' | 'firstSeen'>,
): readonly FindingApproval[] {
  const byName = new Map<string, FindingApproval>();
  for (const approval of byFinding(approvals).get(id) ?? [])
    if (
      approval.revision === revision &&
      Date.parse(approval.at) >= Date.parse(firstSeen) - APART_MS
    )
      byName.set(`${approval.signed === true} ${approval.by}`, approval);
  return [...byName.values()];
}

const FINDINGS = new WeakMap<
  ControlState['approvals'],
  ReadonlyMap<string, readonly FindingApproval[]>
>();

/** The approvals by what they are of; made once for each state. */
function byFinding(
  approvals: ControlState['approvals'],
): ReadonlyMap<string, readonly FindingApproval[]> {
  const known = FINDINGS.get(approvals);
  if (known !== undefined) return known;
  const made = new Map<string, FindingApproval[]>();
  for (const approval of approvals.values())
    (made.get(approval.finding) ?? made.set(approval.finding, []).get(approval.finding))?.push(
      approval,
    );
  FINDINGS.set(approvals, made);
  return made;
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
  return { scope, reason, by: decidedBy(read.control), at, until, ...(except && { except }) };
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
