import type { Decider } from '@ovn-steward/contracts/control/decided-by';
import { grouped } from '@ovn-steward/shared/grouped';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Control, EffectiveDecision, Scope } from '@ovn-steward/contracts/control/control';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Plan } from '../plan/plan';
import { endOfKeeping, type Keeping } from '@ovn-steward/contracts/control/keeping';

/** A hold as it stands, whether or not its time is over. */
export interface Hold extends Pick<Decider, 'authenticated' | 'signedBy'> {
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
  /** For people: who decided, where `by` only vouches for them. */
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

/** What an executor said last of the decisions it respects. */
export interface HeardBy {
  /** When it began to follow decisions, and when it said this; RFC 3339. */
  readonly since: string;
  readonly at: string;
  /** The ids of the holds and resumes it respects. */
  readonly ids: ReadonlySet<string>;
}

/** What people decided about one cluster, as it stands. */
export interface ControlState {
  /** By the text of their scope. */
  readonly holds: ReadonlyMap<string, Hold>;
  /**
   * What people suppressed or protected, by the end of its key: `suppress/<selector>`,
   * `protect/<selector>`.
   */
  readonly kept: ReadonlyMap<string, Keeping>;
  /**
   * The hold or resume that counts last of each scope, by the scope's text, and what counts last
   * under each key of `kept`, in the order of the log; none where that cannot be read.
   */
  readonly effective: ReadonlyMap<string, EffectiveDecision>;
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
  effective: new Map(),
  heard: new Map(),
  approvals: new Map(),
  plans: new Map(),
  undos: new Map(),
  givenUp: new Map(),
};

/** What is carried out once, and then over. */
export type OneTimeRequest = ApprovedPlan | RequestedUndo | GivenUp;

/**
 * The state without what is over; the same object where nothing of it is: a plan may be as large as
 * a record of the log. If its record is read again, it is back.
 */
export function withoutDone(state: ControlState, over: ReadonlySet<OneTimeRequest>): ControlState {
  const { plans, undos, givenUp } = state;
  const requests = [...plans.values(), ...undos.values(), ...givenUp.values()];
  if (!requests.some((it) => over.has(it))) return state;
  const left = <T extends OneTimeRequest>(
    requests: ReadonlyMap<string, T>,
  ): ReadonlyMap<string, T> => new Map([...requests].filter(([, it]) => !over.has(it)));
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
 * revisions again: an approval from before it was first seen was for the earlier death.
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
  const made = grouped(approvals.values(), (it) => it.finding);
  FINDINGS.set(approvals, made);
  return made;
}
