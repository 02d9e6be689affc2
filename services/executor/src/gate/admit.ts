import { endOfKeeping, type Keeping } from '@ovn-steward/contracts/control/keeping';
import type { ActionState } from '@ovn-steward/contracts/actions/action';
import type { Mode } from '@ovn-steward/shared/mode';
import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Action } from '../action-kit/action';
import type { Hold } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import type { Approval } from './item';
import { addTo, type Count, type Figures, overrunOf, type Overrun, sayOverrun } from './ceilings';
import type { Yielding } from './competing';
import { frozenUntil } from './freezes';
import { holdEnd, holdOn, sayHold } from './holds';
import { keptAs, keptOn, sayKeeping } from './kept';
import { minute } from './minute';
import { isOpen, nextOpening } from './windows';

/** A finding that is neither claimed nor ended, and waits for a decision. */
export interface Applicant {
  readonly finding: Proposal;
  /** undefined where this version has no action of that name. */
  readonly action: Pick<Action, 'onlyApproved' | 'rank' | 'finishedBy'> | undefined;
  readonly mode: Mode;
  /** Of this revision of the finding. */
  readonly approval: Approval | undefined;
}

/** All that decides who goes, at one moment. */
export interface GateContext extends Omit<Figures, 'ceilings'> {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly settings: Pick<Settings['executor'], 'ceilings' | 'windows' | 'freezes'> &
    Partial<Pick<Settings['executor'], 'approvers'>>;
  readonly holds: Iterable<Hold>;
  /** What people suppressed or protected. */
  readonly kept: Iterable<Keeping>;
  /** What the settings switch off (`RuleSwitches.maybeOff`); nothing unless given. */
  readonly maybeOff?: (finding: Proposal) => Keeping | undefined;
  /**
   * Why no kube-ovn-controller would finish the action; undefined when one is at work, or where it
   * was not checked.
   */
  readonly noController?: string | undefined;
  /** Set while another process may be deleting. */
  readonly yielding: Yielding | undefined;
}

/** Why one does not go. */
export interface AdmissionDecision {
  readonly state: Extract<ActionState, 'observed' | 'proposed' | 'deferred'>;
  readonly code: Extract<
    ActionCode,
    | 'no-controller'
    | 'held'
    | 'suppressed'
    | 'protected'
    | 'mode'
    | 'approval'
    | 'unsupported'
    | 'freeze'
    | 'window'
    | 'yield'
    | 'ceiling'
  >;
  /** For a person. */
  readonly reason: string;
  /** When it may go at the earliest, where that is known; milliseconds since 1970. */
  readonly until?: number;
}

/** A plan of which nothing goes. `enforced`: all that goes without a person. `plan`: of that id. `approval`: one finding, by its id. */
export interface Aborted extends Overrun {
  readonly plan: { readonly of: 'enforced' | 'plan' | 'approval'; readonly id: string };
  /** How many it is of. */
  readonly size: number;
}

export interface Admission<A extends Applicant> {
  /** In this order: leaves before roots, then the oldest first. */
  readonly go: readonly A[];
  /** Everybody else, in the same order. */
  readonly stay: readonly { readonly applicant: A; readonly decision: AdmissionDecision }[];
  readonly aborted: readonly Aborted[];
}

/**
 * Decides which applicants may be acted on now. Good until the next decision: each claim counts
 * into its `spent`, and what was not claimed by then applies again.
 *
 * The reasons, the first that applies: held; suppressed or protected; the rule's mode; no such
 * action; no approval; a freeze; no open window; yielding; no controller that would finish it; a
 * ceiling. What only a person can change comes before what passes by itself, so that nobody waits
 * for a window that will not help.
 *
 * Ceilings apply to plans as a whole: all that is enforced is one, each plan a person approved is
 * one, each finding approved by itself is one. A plan that would exceed a ceiling anywhere is not
 * carried out at all. What is held, frozen or yielded counts as if it were removed: a hold never
 * makes room for others.
 */
export function admit<A extends Applicant>(
  applicants: readonly A[],
  context: GateContext,
): Admission<A> {
  const ordered = inOrder(applicants);
  const missing = new Map(
    ordered.map((it) => [it, permissionMissing(it, context.settings.approvers)]),
  );
  const { aborted, ceilings } = heldByCeilings(
    ordered.filter((it) => missing.get(it) === undefined),
    { ...context, ceilings: context.settings.ceilings },
  );
  const refusal = firstRefusal(context);
  const [go, stay]: [A[], Admission<A>['stay'][number][]] = [[], []];
  for (const applicant of ordered) {
    const decision =
      held(applicant, context) ??
      kept(applicant, context) ??
      missing.get(applicant) ??
      refusal ??
      unfinished(applicant, context) ??
      ceilings.get(applicant);
    if (decision === undefined) go.push(applicant);
    else stay.push({ applicant, decision });
  }
  return { go, stay, aborted };
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

function inOrder<A extends Applicant>(applicants: readonly A[]): A[] {
  const keyed = applicants.map((it) => ({
    it,
    rank: it.action?.rank ?? Infinity,
    since: Date.parse(it.finding.confirmedAt ?? '') || Infinity,
    id: it.finding.id,
  }));
  return keyed
    .sort((a, b) => compare(a.rank, b.rank) || compare(a.since, b.since) || compare(a.id, b.id))
    .map(({ it }) => it);
}

/** What only a person can give. */
function permissionMissing(
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

function held({ finding }: Applicant, { holds, now }: GateContext): AdmissionDecision | undefined {
  const hold = holdOn(finding, holds, now);
  return (
    hold && {
      state: 'deferred',
      code: 'held',
      reason: sayHold(hold),
      ...(holdEnd(hold) === Infinity ? {} : { until: holdEnd(hold) }),
    }
  );
}

function kept(
  { finding }: Applicant,
  { kept, maybeOff, now }: GateContext,
): AdmissionDecision | undefined {
  const keeping = keptOn(finding, kept, now) ?? maybeOff?.(finding);
  if (keeping === undefined) return undefined;
  const until = endOfKeeping(keeping);
  return {
    state: 'deferred',
    code: keptAs(keeping),
    reason: sayKeeping(keeping),
    ...(until === Infinity ? {} : { until }),
  };
}

/** What keeps everybody from going, and passes by itself. */
function firstRefusal({
  now,
  settings: { windows, freezes },
  yielding,
}: GateContext): AdmissionDecision | undefined {
  const thaw = frozenUntil(freezes, now);
  if (thaw !== undefined)
    return {
      state: 'deferred',
      code: 'freeze',
      reason: `executor.freezes says that nothing is removed until ${minute(thaw)}`,
      until: thaw,
    };
  if (!isOpen(windows, now)) {
    const opens = nextOpening(windows, now);
    return {
      state: 'deferred',
      code: 'window',
      reason: `it is outside executor.windows; ${opens === undefined ? 'none opens within two weeks' : `the next opens at ${minute(opens)}`}`,
      ...(opens === undefined ? {} : { until: opens }),
    };
  }
  return (
    yielding && { state: 'deferred', code: 'yield', reason: yielding.why, until: yielding.until }
  );
}

/** What hangs until a controller comes is not begun. */
function unfinished(
  { action }: Applicant,
  { noController }: GateContext,
): AdmissionDecision | undefined {
  return action?.finishedBy === undefined || noController === undefined
    ? undefined
    : { state: 'deferred', code: 'no-controller', reason: noControllerText(noController) };
}

/** @param why no controller is at work. */
export const noControllerText = (why: string): string =>
  `${why}: what it would have to finish would hang, and a namesake that returns could lose its port; nothing was removed`;

interface Plan<A> {
  readonly of: Aborted['plan'];
  readonly members: readonly A[];
}

/** In the order in which they get what the ceilings leave: what people decided first, then what is enforced. What may go beyond them counts before all. */
function plansOf<A extends Applicant>(applicants: readonly A[]): readonly Plan<A>[] {
  const plans = new Map<string, A[]>();
  const [single, enforced]: [Plan<A>[], A[]] = [[], []];
  for (const applicant of applicants) {
    const { approval, finding } = applicant;
    if (approval === undefined) enforced.push(applicant);
    else if (approval.plan === null)
      single.push({ of: { of: 'approval', id: finding.id }, members: [applicant] });
    else
      (plans.get(approval.plan) ?? plans.set(approval.plan, []).get(approval.plan))?.push(
        applicant,
      );
  }
  const named = [...plans]
    .sort(([a], [b]) => compare(a, b))
    .map(([id, members]): Plan<A> => ({ of: { of: 'plan', id }, members }));
  return [
    ...named,
    ...single,
    ...(enforced.length > 0
      ? [{ of: { of: 'enforced', id: '' } as const, members: enforced }]
      : []),
  ];
}

function heldByCeilings<A extends Applicant>(
  applicants: readonly A[],
  figures: Figures,
): { readonly aborted: readonly Aborted[]; readonly ceilings: ReadonlyMap<A, AdmissionDecision> } {
  const [aborted, ceilings, before]: [Aborted[], Map<A, AdmissionDecision>, Count] = [
    [],
    new Map(),
    new Map(),
  ];
  const free = applicants.filter((it) => it.approval?.overCeilings === true);
  addTo(
    before,
    free.map((it) => it.finding),
  );
  for (const { of: plan, members } of plansOf(
    applicants.filter((it) => it.approval?.overCeilings !== true),
  )) {
    const findings = members.map((it) => it.finding);
    const overrun = overrunOf(findings, before, figures);
    if (overrun === undefined) {
      addTo(before, findings);
      continue;
    }
    aborted.push({ ...overrun, plan, size: members.length });
    const decision: AdmissionDecision = {
      state: 'deferred',
      code: 'ceiling',
      reason: sayOverrun(overrun, members.length),
    };
    for (const member of members) ceilings.set(member, decision);
  }
  return { aborted, ceilings };
}
