import { type ActionRecord, ENDED } from '@ovn-steward/contracts/actions/action';
import { hasComeBack } from './has-come-back';
import type { LedgerEntry } from './ledger-entry';
import type { Item } from '../gate/item';
import type { ClusterWork } from './work';
import { arrivedBefore, notDone } from './arrived-before';
import { proveAndPrepare, type Ready } from './prove-and-prepare';
import { carryOut } from './carry-out';

/** How often one thing is tried while no answer says whether it was done. */
const ATTEMPTS = 3;

/** What carrying out a proof came to: its end, or that it is to be proven again. */
export type Attempted = Awaited<ReturnType<typeof carryOut>>;

/**
 * Does one thing about one finding, or says why not: proves it again on the living systems,
 * prepares it with what undoes it, claims it (in the ledger and in the log), checks once more,
 * sends it once, reads the outcome. Whatever is not certain ends without an effect.
 *
 * An item that is claimed already continues under the same claim; one that ended is left as it is.
 * @param attempted what a proof made ahead came to (`performProven`).
 * @returns the record as it stands.
 * @throws Failure when a system failed after the claim: the claim stays open, to be settled by
 * reading the target.
 */
export async function perform(
  item: Item,
  work: ClusterWork,
  signal: AbortSignal,
  attempted?: Exclude<Attempted, ActionRecord>,
): Promise<ActionRecord> {
  const { ended, others, isClaimed } = currentState(item, work, attempted !== undefined);
  if (ended !== undefined) return ended;
  let unsure = attempted === undefined ? isClaimed : attempted === 'unsure';
  for (let attempt = 1; ; attempt += 1) {
    const from = performance.now();
    const ready = await proveAndPrepare(item, work, unsure, signal);
    // What was removed and exists again has come back, such as from a backup: the systems decide
    // that, whatever the clocks say. What does not exist was removed by the other action.
    if ('state' in ready && ready.code === 'gone' && others[0] !== undefined)
      return work.ledger.write(item, duplicateOf(others[0]));
    if ('state' in ready) return notDone(item, ready, work, unsure, signal);
    const became = await carryOut({ item, ...ready, work, unsure, isAhead: false }, signal);
    if (typeof became === 'object') return became;
    unsure ||= became === 'unsure';
    if (attempt < ATTEMPTS) continue;
    if (!unsure)
      return work.ledger.write(item, {
        state: 'deferred',
        code: 'slow',
        unsent: true,
        reason: `its proof was older than executor.proofAge (${seconds(work.proofAgeMs)}) each of ${ATTEMPTS} times it was to be acted on, ${seconds(performance.now() - from)} after it was begun the last time: the systems answer slowly, or this machine is busy. Nothing was removed; if that lasts, raise executor.proofAge`,
      });
    return (
      (await arrivedBefore(item, work, unsure, signal)) ??
      work.ledger.write(item, {
        state: 'failed',
        code: 'no-answer',
        reason: `it was sent ${ATTEMPTS} times without an answer, and is still there`,
      })
    );
  }
}

/**
 * The same with a proof that was made ahead (`proofsAhead`), once. Several that need the same
 * action may be carried out together: each is claimed, checked and sent by itself.
 * @returns what it came to; undefined where it is claimed already, and nothing was done.
 * @throws as `perform`.
 */
export async function performProven(
  item: Item,
  ready: Ready,
  work: ClusterWork,
  signal: AbortSignal,
): Promise<Attempted | undefined> {
  const { ended, isClaimed } = currentState(item, work, false);
  if (ended !== undefined || isClaimed) return ended;
  return carryOut({ item, ...ready, work, unsure: false, isAhead: true }, signal);
}

/**
 * How the item stands, and what others did to its target.
 * @param isOurs whether a claim of it was made just now.
 */
function currentState(
  item: Item,
  { ledger }: ClusterWork,
  isOurs: boolean,
): {
  readonly ended?: ActionRecord;
  readonly others: readonly ActionRecord[];
  readonly isClaimed: boolean;
} {
  const before = ledger.of(item.id);
  const isClaimed = before?.state === 'claimed';
  if (before !== undefined && ENDED.has(before.state))
    return { ended: before, others: [], isClaimed };
  const others = isClaimed && !isOurs ? [] : ledger.othersOn(item);
  const duplicate = others.find((it) => !hasComeBack(it, item.finding.firstSeen));
  if (duplicate === undefined) return { others, isClaimed };
  return { ended: ledger.write(item, duplicateOf(duplicate)), others, isClaimed };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const duplicateOf = ({ id }: ActionRecord): LedgerEntry => ({
  state: 'refused',
  code: 'twin',
  reason: `action ${id} has removed the same thing, or is about to`,
});
