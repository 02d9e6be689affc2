import type { Change } from '@ovn-steward/contracts/changes/change';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';

/**
 * A record of which only the key could be read: something was said of that thing, and we do not
 * know what.
 */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly source: SourceId;
  readonly stream: string;
  readonly kind: string;
  readonly uid: string;
  /** `<topic>/<partition>/<offset>`: the id of its dead letter. */
  readonly at: string;
  /** A clause for a person: `it is …`. */
  readonly why: string;
}

/** A change that was set aside when it was published, and is folded now that it can be read. */
export interface ReplayedChange {
  readonly type: 'replayed';
  readonly stream: string;
  readonly change: Change;
}

/** All that the world folds. */
export type WorldInput = Change | Unreadable | ReplayedChange;
