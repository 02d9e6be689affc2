import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { type Control, controlKey } from '@ovn-steward/contracts/control/control';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Plan } from '../../../plan/plan';
import type { Moment } from './moments';

/**
 * Never done without a person, whatever the mode. Written by hand: the executor asks its actions,
 * and the referee may not believe what it judges.
 */
const ONLY_APPROVED: ReadonlySet<string> = new Set([
  'delete-logical-router',
  'delete-logical-switch',
  'delete-nat',
  'delete-qos',
  'reallocate-pod',
  'remove-port-group-member',
  'restart-pod',
  'strip-finalizer',
]);

/** Said of an entry that is refused alone: the rest of its plan goes on, and it with them later. */
const ALONE = 'it is no longer what the plan was made of';

type Approve = Extract<Control, { type: 'approve' }>;
type ApprovedPlan = Extract<Control, { type: 'plan' }>;

export interface PermissionsJudge {
  /** A decision that the log has acknowledged, of somebody who may decide. */
  read(control: Control): void;
  /** How many there were. */
  decisions(): number;
  /** An executor says why it does not do something: perhaps that it refused the plan as a whole. */
  refused(action: ActionRecord, by: object): void;
  /** Whether a person allowed its plan to go beyond ceilings. */
  overCeilings(action: ActionRecord): boolean;
  /**
   * Why nobody allowed this removal; undefined when somebody did.
   * @param turn when the turn began in which it was sent: what stood in the log then was known.
   */
  missing(
    action: ActionRecord,
    settings: Pick<Settings['executor'], 'mode' | 'rules' | 'approvers'>,
    turn: Moment,
    by: object,
  ): string | undefined;
}

/** Modes, approvals and plans, by a fold of its own. @param identity of the living systems. */
export function judgePermissions(identity: () => ClusterIdentity): PermissionsJudge {
  const reported: { readonly key: string; readonly control: Control }[] = [];
  /** Of each process, the approvals of plans it has refused. */
  const refusals = new WeakMap<object, Set<Control>>();

  /** All that stood at some moment since that one. */
  const active = (since: number): readonly Control[] => {
    const at = new Map(reported.slice(0, since).map(({ key, control }) => [key, control]));
    return [...at.values(), ...reported.slice(since).map((it) => it.control)];
  };
  const plansOf = (id: string, since: number): readonly ApprovedPlan[] =>
    active(since).filter((it): it is ApprovedPlan => it.type === 'plan' && it.plan['id'] === id);

  const missingPlan = (
    { id, plan: planId }: ActionRecord,
    approved: readonly ApprovedPlan[],
    turn: Moment,
    by: object,
  ): string | undefined => {
    const [first] = approved;
    if (first === undefined) return `nobody wants plan ${planId} carried out`;
    const plan = first.plan as unknown as Plan;
    const here = identity();
    if (
      plan.identity.northbound !== here.northbound ||
      plan.identity.kubernetes !== here.kubernetes
    )
      return 'its plan was made of other systems';
    if (!plan.entries.some((it) => it.id === id)) return 'its plan does not name it';
    if (turn.wall >= Date.parse(plan.expiresAt)) return `its plan expired at ${plan.expiresAt}`;
    return approved.every((it) => refusals.get(by)?.has(it) === true)
      ? 'its plan was refused before'
      : undefined;
  };

  return {
    decisions: () => reported.length,
    read: (control) => void reported.push({ key: controlKey(control), control }),
    refused({ plan, state, code, reason }, by) {
      if (plan === null || state !== 'deferred' || !/^plan-|^other-cluster$/.test(code)) return;
      if (reason === ALONE) return;
      const known = refusals.get(by) ?? new Set();
      refusals.set(by, known);
      for (const it of plansOf(plan, reported.length)) known.add(it);
    },
    overCeilings: ({ plan }) =>
      plan !== null &&
      reported.some(
        ({ control }) =>
          control.type === 'plan' && control.plan['id'] === plan && control.overCeilings,
      ),
    missing(action, { mode, rules, approvers }, turn, by) {
      const { rule, plan, finding } = action;
      const is = rules[rule] ?? mode;
      const approved = plan === null ? [] : plansOf(plan, turn.decisions);
      const byPlan = plan === null ? undefined : missingPlan(action, approved, turn, by);
      if (byPlan !== undefined) return byPlan;
      const approvals = active(turn.decisions).filter(
        (it): it is Approve =>
          it.type === 'approve' && it.finding === finding.id && it.revision === finding.revision,
      );
      const who = new Set([...approvals, ...approved].map((it) => it.by));
      if (is === 'observe' && plan === null) return `rule ${rule} is only observed`;
      if (who.size === 0 && (is === 'propose' || ONLY_APPROVED.has(action.action)))
        return `nobody approved it, and rule ${rule} is in mode ${is}`;
      return who.size < (approvers[rule] ?? 0)
        ? `rule ${rule} wants ${approvers[rule]} people, and ${[...who].join(', ')} approved it`
        : undefined;
    },
  };
}
