import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn, actionJson } from '@ovn-steward/contracts/actions/action-codec';
import type { ReadAction } from './read-action';

/** What stands of an id. */
export interface LedgerHead {
  readonly revision: number;
  readonly state: string;
  /** Its JSON, as in the log. */
  readonly text: string;
  /** It rests on a record of unproven origin, and not on this executor's own file. */
  readonly unproven: boolean;
}

/** One of its records that is to be published. */
export interface UnpublishedRecord {
  readonly seq: number;
  readonly revision: number;
  /** It is in the log already, and only to be its last word on the id again. */
  readonly again: boolean;
  readonly text: string;
}

/**
 * What a record of the log does to what stands. `known`: it is what we have or had; `seq` need not
 * be published any more. `stands`: from now on this stands, and what waited is void; `publish` when
 * the log does not have it yet. `behind`: it changes nothing; `repeat` when it hides what stands
 * from readers of the log after compaction. `refused`: its author is not proven, and what stands is
 * known better.
 */
export type Folded =
  | { readonly is: 'known'; readonly seq?: number }
  | { readonly is: 'stands'; readonly read: ReadAction; readonly publish: boolean }
  | { readonly is: 'behind'; readonly repeat: boolean }
  | { readonly is: 'refused' };

/**
 * How the log's records of one id, in their order, become the current record: the greater revision
 * wins, and of one revision the record that came first. An executor publishes a claim before it
 * acts and checks whether another record came before it (`publish.ts`): a claim that is second of
 * its revision was never acted on.
 *
 * What waits here is not published yet, and was decided without knowing what came before it: it is
 * void as soon as the log has another record of that revision or a later one, whatever it says.
 * That is true of a claim: not acknowledged, so not acted on. It is not true of `done`, which
 * states a fact: such a record is never lost, but published again, in the revision after the one it
 * loses to.
 *
 * A record of unproven origin does not replace one that is proven, or was written here, except with
 * `undone`: that only keeps a thing from being removed again. Where nothing is known it stands, so
 * that no second executor acts, and a proven record replaces it.
 */
export function foldRecord(
  known: LedgerHead | undefined,
  waiting: readonly UnpublishedRecord[],
  read: ReadAction,
): Folded {
  if (known === undefined) return { is: 'stands', read, publish: false };
  const same = waiting.find((it) => it.text === read.text);
  if (same !== undefined) return { is: 'known', seq: same.seq };
  if (known.text === read.text) return { is: 'known' };
  const { action, unproven = false } = read;
  if (known.unproven && !unproven) return { is: 'stands', read, publish: false };
  if (unproven && !known.unproven && action.state !== 'undone' && isActedOn(known, waiting))
    return { is: 'refused' };
  const first = waiting.find((it) => !it.again)?.revision;
  if (first === undefined ? action.revision > known.revision : action.revision >= first) {
    return isDone(known) && !isDone(action)
      ? repeated(actionIn(known.text), action.revision, known.unproven)
      : { is: 'stands', read, publish: false };
  }
  if (isDone(action) && !isDone(known)) return repeated(action, known.revision, unproven);
  return { is: 'behind', repeat: waiting.length === 0 && !known.unproven };
}

/** Whether something may have been sent under it: it was claimed, and the claim is in the log. */
const isActedOn = ({ text }: LedgerHead, waiting: readonly UnpublishedRecord[]): boolean =>
  actionIn(text).claimedAt !== null &&
  !waiting.some((it) => !it.again && isNewClaim(actionIn(it.text)));

const isNewClaim = ({ state, at, claimedAt }: ActionRecord): boolean =>
  state === 'claimed' && at === claimedAt;

/** That Kubernetes took a deletion is a fact as well. */
const isDone = ({ state }: { readonly state: string }): boolean =>
  state === 'terminating' || state === 'done' || state === 'undone';

function repeated(done: ActionRecord, over: number, unproven: boolean): Folded {
  const action: ActionRecord = { ...done, revision: over + 1 };
  return {
    is: 'stands',
    read: { action, text: actionJson(action), unproven },
    publish: !unproven,
  };
}
