import type { Mode } from '@ovn-steward/shared/mode';
import { actionKey } from '@ovn-steward/contracts/identity/ids';
import type { Action } from '../action-kit/action';
import { actionOf } from '../actions/registry';
import type { Proposal } from '../findings/proposal';
import type { PlanEntry } from '../plan/plan';

/** That a person allowed it. */
export interface Approval {
  readonly by: string;
  /** All who did, where there are several: `by` among them. */
  readonly approvers?: readonly string[];
  /**
   * Those of them whose names are proven by their keys; all others count together as one person.
   */
  readonly signers?: readonly string[];
  /** For people: who decided, where a name of `approvers` only vouches for them. */
  readonly shownAs?: readonly string[];
  /** The plan it was approved with; null for one approved by itself. */
  readonly plan: string | null;
  /** Whether the ceilings do not count for it. */
  readonly overCeilings: boolean;
}

/** One finding in one revision, with all that decides what may be done about it. */
export interface Item {
  /** The idempotency key. */
  readonly id: string;
  readonly finding: Proposal;
  /** undefined where this version has no action of that name. */
  readonly action: Action | undefined;
  readonly mode: Mode;
  readonly approval: Approval | undefined;
  /** What it must be about, where a plan says so (`Prepared.version`). */
  readonly version?: string;
  /** All entries of that plan. */
  readonly entries?: readonly PlanEntry[];
}

/**
 * @param planned of an entry of a plan: its id and version, which were held against what it is
 *   about when it was read.
 */
export const itemOf = (
  finding: Proposal,
  mode: Mode,
  approval: Approval | undefined,
  planned?: Required<Pick<Item, 'id' | 'version'>> & Pick<Item, 'entries'>,
): Item => ({
  id:
    planned?.id ??
    actionKey(
      finding.cluster,
      finding.subject,
      finding.remedy.action,
      finding.id,
      finding.revision,
    ),
  finding,
  action: actionOf(finding.remedy.action),
  mode,
  approval,
  ...(planned && { version: planned.version }),
  ...(planned?.entries && { entries: planned.entries }),
});
