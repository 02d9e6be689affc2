import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import type { Fact } from '@ovn-steward/shared/events/finding';
import type { Foundations } from '../prove/last-look';
import type { Ledger } from '../store/ledger';
import { look } from './look';
import { noteOfRecord } from './note';
import { putBack } from './put-back';
import type { Work } from './work';

/** Of what is done, and is being put back since its owner came meanwhile. */
export const RACING = 'racing';

/** What a proof rests on in Kubernetes, as far as the ledger tells: for whoever ends an action somebody else began. */
export const foundationsIn = (proof: readonly Fact[]): Foundations => ({
  absences: proof.flatMap((it) => (it.fact === 'absent' && it.source === 'kubernetes' ? [{ kind: it.kind, key: it.key }] : [])), witnesses: [], vacancies: [],
});

/** Ends a claim whose target is gone. `write` notes that. */
export interface Gone {
  readonly write: () => ActionRecord;
  readonly claim: ActionRecord;
  readonly foundations: Foundations;
}

/**
 * Notes that a target is gone, once it is known whether its owner came between the last look and the commit: two systems share no transaction. If one
 * is there now, what was removed is put back at once, and whoever comes after a crash goes on with that.
 */
export async function gone({ write, claim, foundations }: Gone, work: Work, signal: AbortSignal): Promise<ActionRecord> {
  const owner = await work.prover.whoCame(foundations, claim.target, signal);
  const done = write();
  if (owner === undefined || done.undo === null) return done;
  return putBackRaced(work.book.goOn(done, { state: 'done', code: RACING, reason: done.reason }), owner, work, signal);
}

/** What a process left that died while it put something back. */
export const racesIn = (ledger: Pick<Ledger, 'list'>, cluster: string): readonly ActionRecord[] => ledger.list({ cluster, state: 'done', code: RACING });

/** Goes on with them. @throws as `gone` does. */
export async function finishRaces(races: readonly ActionRecord[], work: Work, signal: AbortSignal): Promise<void> {
  for (const it of races) await putBackRaced(it, 'its owner came', work, signal);
}

/** @throws Failure when a system failed: it stays to be put back. */
async function putBackRaced(done: ActionRecord, owner: string, work: Work, signal: AbortSignal): Promise<ActionRecord> {
  await work.publish(signal);
  // What waits for its finalizers cannot be made again before it is gone: it stays to be put back.
  if ((await look(done.target, work.systems, signal)) === 'terminating') return done;
  const back = await putBack(done.undo!, noteOfRecord(done), work, signal);
  return back.is === 'back'
    ? work.book.goOn(done, { state: 'undone', code: 'raced', reason: [`it was put back, since meanwhile: ${owner}`, ...back.losses].join('; ') })
    : work.book.goOn(done, { state: 'done', code: 'raced', reason: `while it was removed: ${owner}; and it cannot be put back: ${back.reason}` });
}
