import { type ActionRecord, ENDED, UNDER_WAY } from '@ovn-steward/contracts/actions/action';
import { Failure, type FailureCode } from '@ovn-steward/shared/errors';
import { actionOf } from '../actions/registry';
import type { ApprovedPlan } from '../control/control-state';
import { hasExpired } from '../plan/plan';
import { verifyPlan } from '../plan/verify';
import type { Ledger } from '../ledger/ledger';
import type { ClusterWork } from './work';

/**
 * A plan that a person approved, and whether it may be carried out. `at`: when it was refused,
 * milliseconds since 1970.
 */
export type CheckedPlan =
  | { readonly is: 'holds'; readonly approved: ApprovedPlan }
  | {
      readonly is: 'refused';
      readonly approved: ApprovedPlan;
      readonly code: FailureCode;
      readonly reason: string;
      readonly at: number;
    };

export interface Plans {
  /** Whether each of its entries has ended: nothing of it is done any more. */
  isOver(approved: ApprovedPlan): boolean;
  /**
   * Those that are not finished, each held against the living systems once before anything of it is
   * done; all others are forgotten.
   * @throws Failure when they cannot be read.
   */
  check(approved: Iterable<ApprovedPlan>, signal: AbortSignal): Promise<readonly CheckedPlan[]>;
}

/**
 * Once checked, a plan is not refused as a whole any more, except when it has expired: its entries
 * are proven one by one.
 */
export function plansOf(
  work: ClusterWork,
  ledger: Pick<Ledger, 'stateOf'>,
  cluster: string,
  clock: () => Date,
): Plans {
  let checked = new Map<string, CheckedPlan>();
  const ended = (id: string): boolean => isBegun(ledger.stateOf(id));
  const check = async (approved: ApprovedPlan, signal: AbortSignal): Promise<CheckedPlan> => {
    try {
      await verifyPlan(approved.plan, {
        cluster,
        systems: work.systems,
        prover: work.prover,
        actionOf,
        now: clock,
        signal,
        ended,
      });
      return { is: 'holds', approved };
    } catch (error) {
      if (!(error instanceof Failure) || !isOfThePlan(error.code)) throw error;
      if (error.code === 'other-cluster')
        work.belonging.refused('plan', approved.plan.id, error.message);
      return refused(approved, error, clock());
    }
  };
  return {
    isOver: ({ plan }) =>
      plan.entries.every(({ id }) => ENDED.has(ledger.stateOf(id)?.state ?? 'deferred')),
    async check(approved, signal) {
      const found = new Map<string, CheckedPlan>();
      for (const approvedPlan of approved) {
        // A new approval of a plan has it checked again.
        const key = `${approvedPlan.plan.id} ${approvedPlan.at}`;
        const known =
          checked.get(key) ??
          (approvedPlan.plan.entries.every(({ id }) => ended(id))
            ? undefined
            : await check(approvedPlan, signal));
        if (known === undefined) continue;
        const now = inTime(known, clock);
        checked.set(key, now);
        found.set(key, now);
      }
      checked = found;
      return [...found.values()];
    },
  };
}

const refused = (
  approved: ApprovedPlan,
  { code, message: reason }: Pick<Failure, 'code' | 'message'>,
  at: Date,
): CheckedPlan => ({ is: 'refused', approved, code, reason, at: at.getTime() });

function inTime(checked: CheckedPlan, clock: () => Date): CheckedPlan {
  const { approved } = checked;
  if (checked.is !== 'holds' || !hasExpired(approved.plan, clock())) return checked;
  return refused(
    approved,
    {
      code: 'plan-stale',
      message: `The plan expired at ${approved.plan.expiresAt}, and this was not begun by then. Make another with steward plan.`,
    },
    clock(),
  );
}

const isOfThePlan = (code: FailureCode): boolean =>
  code.startsWith('plan-') || code === 'other-cluster';

const isBegun = (record: Pick<ActionRecord, 'state'> | undefined): boolean =>
  record !== undefined && (ENDED.has(record.state) || UNDER_WAY.has(record.state));
