import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { Effect } from '@ovn-steward/systems/effect';
import type { Systems } from '@ovn-steward/systems/systems';

/**
 * Ready to be done: what to send, what would bring it back, and which version of the thing it is
 * about.
 */
export interface Prepared {
  readonly is: 'prepared';
  readonly effect: Effect;
  readonly undo: Undo;
  /**
   * Of all that would be removed: for OVN a digest of the rows' columns and of who refers to them,
   * for Kubernetes `<uid>/<resourceVersion>`.
   */
  readonly version: string;
  /**
   * What undoing does not bring back of this very thing, beyond what `undoing` says of all: a
   * sentence each, without its full stop.
   */
  readonly notRestored?: readonly string[];
}

/**
 * Not to be done. `gone`: the target no longer exists. `in-use`: something that may be removed
 * itself still names it. `waits`: something has to be removed first.
 */
export interface Refusal {
  readonly is: 'refused';
  readonly code: Extract<
    ActionCode,
    'gone' | 'in-use' | 'waits' | 'protected' | 'changed' | 'unsupported' | 'too-large' | 'unknown'
  >;
  readonly reason: string;
}

/**
 * What is written with the effect where the system has a place for it (an OVSDB comment, an Event).
 */
export interface EffectComment {
  /** The idempotency key. */
  readonly action: string;
  readonly rule: string;
  readonly finding: string;
}

/** As in RBAC, but for `evict`, which creates the eviction of a pod. */
type ObjectVerb = 'delete' | 'evict' | 'patch';

/** One way of mending one kind of finding. A file each, and a line in the registry. */
export interface Action {
  /** As a finding's remedy names it; kebab case, equal to the file name. */
  readonly id: string;
  readonly on: 'ovn-nb' | 'kubernetes';
  /** The kinds of target it takes; any other is refused. */
  readonly kinds: readonly string[];
  /** Only with a person's approval, whatever the mode. */
  readonly onlyApproved: boolean;
  /** Only where no kube-ovn-controller leads, whatever the finding rests on. */
  readonly onlyUnled?: true;
  /** What it does to the object: the executor's roles are made of it. Null for rows. */
  readonly verb: ObjectVerb | null;
  /**
   * Whose work finishes it: without a controller at work it is not begun, since the object would
   * hang. Null where nobody has to.
   */
  readonly finishedBy: 'kube-ovn' | null;
  /**
   * Tables of the Northbound: what a finding concerns of them, the controller removes with the
   * target.
   */
  readonly takes?: readonly string[];
  /** Lower is done first within a plan: leaves before roots (kube-ovn.md §11.1). */
  readonly rank: number;
  /**
   * For the reference page and for plans: what it does, and what undoing it cannot bring back. A
   * sentence each.
   */
  readonly does: string;
  readonly undoing: string;
  /**
   * Of a row that is put back: what that never brings back, a sentence each, without its full stop.
   * Of objects `REMADE` says it.
   */
  readonly losses?: readonly string[];
  /**
   * Why no rule proposes it, for the page: a sentence or more, the last without its full stop. The
   * executor has no right to it by default.
   */
  readonly unproposed?: string;
  /**
   * Reads what is needed, from the live systems and in their newest state; writes nothing.
   * @throws Failure when it cannot be read.
   */
  prepare(
    target: Reference,
    comment: EffectComment,
    systems: Systems,
    signal: AbortSignal,
  ): Promise<Prepared | Refusal>;
  /**
   * Why a record cannot be what `prepare` returned to undo this action on that target; undefined
   * when it can. Pure: it checks neither whether that can be written now, nor who owns it.
   */
  restores(target: Reference, undo: Undo): string | undefined;
}

export const refusal = (code: Refusal['code'], reason: string): Refusal => ({
  is: 'refused',
  code,
  reason,
});
