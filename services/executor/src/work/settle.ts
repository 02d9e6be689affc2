import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import { callOff } from '../kubernetes/call-off';
import type { Item } from './item';
import { look } from './look';
import { perform, SENDING } from './perform';
import { gone } from './gone';
import type { Work } from './work';

/**
 * Ends a claim that a process left open when it died, or that got no answer: looks what became of the thing. Gone: done. There: gone on with under
 * the same claim, its finding standing as it was claimed; else refused, since nothing was removed.
 *
 * @param itemOf the claimed finding in that revision, if it still stands.
 * @throws Failure when a system cannot be read, or what was sent not called off: the claim stays open.
 */
export async function settle(claim: ActionRecord, itemOf: (claim: ActionRecord) => Item | undefined, work: Work, signal: AbortSignal): Promise<ActionRecord> {
  // Whoever sent it may stand still with it, and go on: Kubernetes knows no lock.
  if (claim.target.source === 'kubernetes' && !isUnsent(claim)) await callOff(claim.target, work.systems.kubernetes, signal);
  const seen = await look(claim.target, work.systems, signal);
  if (seen !== 'there') {
    const reason = `it was claimed, then nobody heard of it; it is ${seen} now`;
    if (isUnsent(claim)) return work.book.goOn(claim, { state: 'refused', code: 'gone', reason: 'somebody else removed it before anything was sent' });
    return gone({ claim, write: () => work.book.goOn(claim, { state: 'done', code: 'settled', reason }) }, work, signal);
  }
  const item = itemOf(claim);
  // This executor has taken over the Northbound: whatever another one sent was committed before, or is refused.
  if (item !== undefined) return perform(item, work, signal, { unsent: true });
  return work.book.goOn(claim, { state: 'refused', code: 'untrue', reason: 'it was claimed and not carried out, and its finding does not stand any more; nothing was removed' });
}

/** Of a deletion of an object the ledger says when it is begun. */
const isUnsent = ({ target, code }: ActionRecord): boolean => target.source === 'kubernetes' && code !== SENDING;
