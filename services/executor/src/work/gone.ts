import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import type { Foundations } from '@ovn-steward/shared/events/foundations';
import type { Ledger } from '../store/ledger';
import { heldScopeOf } from './hold-check';
import { look } from './look';
import { noteOfRecord } from './note';
import { putBack } from './put-back';
import type { Work } from './work';

/** Of what is done, and is being put back since its owner came meanwhile. */
const RACING = 'racing';
/** The same, once what puts it back may be under way. */
const PUTTING_BACK = 'putting-back';
/** Of what nobody knows whether it was put back, since its owner came meanwhile. */
export const RACED_UNCLEAR = 'raced-unclear';
export const isRaced = ({ code }: Pick<ActionRecord, 'code'>): boolean =>
  code === RACING || code === PUTTING_BACK;

/** What a claim's proof rests on. Of one that does not say, as an earlier version wrote it, what its facts tell. */
const foundationsOf = ({ foundations, proof }: ActionRecord): Foundations =>
  foundations ?? {
    absences: proof.flatMap((it) =>
      it.fact === 'absent' && it.source === 'kubernetes' ? [{ kind: it.kind, key: it.key }] : [],
    ),
    witnesses: [],
    vacancies: [],
    rows: [],
  };

/** Ends a claim whose target is gone. `write` notes that. */
export interface Gone {
  readonly write: () => ActionRecord;
  readonly claim: ActionRecord;
}

/**
 * Notes that a target is gone, once it is known whether its owner came between the last look and the commit: two systems share no transaction. If one
 * is there now, what was removed is put back at once, and whoever comes after a crash goes on with that.
 */
export async function gone(
  { write, claim }: Gone,
  work: Work,
  signal: AbortSignal,
): Promise<ActionRecord> {
  const owner = await work.prover.whoCame(foundationsOf(claim), claim.target, signal);
  await work.belonging.check(signal);
  const done = write();
  if (owner === undefined || done.undo === null) return done;
  return putBackRaced(
    work.book.goOn(done, { state: 'done', code: RACING, reason: done.reason }),
    owner,
    work,
    signal,
  );
}

/** What a process left that died while it put something back. */
export const racesIn = (ledger: Pick<Ledger, 'list'>, cluster: string): readonly ActionRecord[] =>
  [RACING, PUTTING_BACK].flatMap((code) => ledger.list({ cluster, state: 'done', code }));

/** Goes on with one of them. @throws as `gone` does. */
export const finishRace = (
  race: ActionRecord,
  work: Work,
  signal: AbortSignal,
): Promise<ActionRecord> => putBackRaced(race, 'its owner came', work, signal);

/** @throws Failure when a system failed: it stays to be put back. */
async function putBackRaced(
  done: ActionRecord,
  owner: string,
  work: Work,
  signal: AbortSignal,
): Promise<ActionRecord> {
  await work.publish(signal);
  // What waits for its finalizers cannot be made again before it is gone: it stays to be put back. So does what meets another of its name that goes.
  if ((await look(done.target, work.systems, signal)) === 'terminating') return done;
  const held = (until: AbortSignal): Promise<string | undefined> =>
    work.holds.now(heldScopeOf(done), 'put-back', until);
  // Nothing is noted about one that is held: it stays to be put back, and is asked about again.
  if ((await held(signal)) !== undefined) return done;
  let begun = done;
  const back = await putBack(done.undo!, noteOfRecord(done), work, signal, {
    unsure: done.code === PUTTING_BACK,
    held,
    sending: async () => {
      begun = work.book.goOn(done, { state: 'done', code: PUTTING_BACK, reason: done.reason });
      await work.publish(signal);
    },
  });
  if (back.is === 'back')
    return work.book.goOn(begun, {
      state: 'undone',
      code: 'raced',
      reason: [`it was put back, since meanwhile: ${owner}`, ...back.losses].join('; '),
    });
  if (back.is === 'held' && !back.unsure)
    return work.book.goOn(begun, { state: 'done', code: RACING, reason: done.reason });
  if (back.is === 'held' || back.passes) return begun;
  return back.unsure
    ? work.book.goOn(begun, {
        state: 'done',
        code: RACED_UNCLEAR,
        reason: `while it was removed: ${owner}; an attempt that nobody heard of may have put it back, and it cannot be now: ${back.reason}`,
      })
    : work.book.goOn(begun, {
        state: 'done',
        code: 'raced',
        reason: `while it was removed: ${owner}; and it cannot be put back: ${back.reason}`,
      });
}
