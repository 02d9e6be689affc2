import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import type { ActionState } from '@ovn-steward/contracts/actions/action';
import type { Mode } from '@ovn-steward/shared/mode';
import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Action } from '../action-kit/action';
import type { Hold } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import type { Approval } from './item';
import type { Figures, Overrun } from './ceilings';
import type { Yielding } from './competing';

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

/**
 * A plan of which nothing goes. `enforced`: all that goes without a person. `plan`: of that id.
 * `approval`: one finding, by its id.
 */
export interface Aborted extends Overrun {
  readonly plan: { readonly of: 'enforced' | 'plan' | 'approval'; readonly id: string };
  /** How many it is of. */
  readonly size: number;
}

export interface Admission<A extends Applicant> {
  /** In this order: leaves before roots, then the oldest first. */
  readonly admitted: readonly A[];
  /** Everybody else, in the same order. */
  readonly rejected: readonly { readonly applicant: A; readonly decision: AdmissionDecision }[];
  readonly aborted: readonly Aborted[];
}
