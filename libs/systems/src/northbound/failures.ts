import { Failure } from '@ovn-steward/shared/errors';

const RESTART =
  'Nothing was changed. Check which executor the cluster belongs to now; restart this one if it is to go on.';

/**
 * Another executor took over: the former holder of the lock writes no more until it takes over
 * itself.
 */
export const fencedOff = (where: string): Failure =>
  new Failure('fenced', `Another executor has taken over ${where}. ${RESTART}`);

/**
 * The lock is held on another connection; whether by another executor or by a dead connection of
 * our own, the server does not say.
 */
export const lockedOut = (where: string): Failure =>
  new Failure(
    'fenced',
    `After a new connection to ${where} the lock of the executor is held elsewhere: by another executor, or by a connection of our own whose end the server has not noticed. ${RESTART}`,
  );

/** Another executor acts there; one that does not steal leaves the lock to it. */
export const heldElsewhere = (where: string): Failure =>
  new Failure(
    'fenced',
    `Another executor acts on ${where}: it has the lock, and its holds, approvals and settings are not known here. Nothing was changed.`,
  );

export const notTakenOver = (where: string): Failure =>
  new Failure(
    'fenced',
    `${where} was not taken over by this executor, so it may not write to it. Nothing was changed.`,
  );

/** @param why the rest of the sentence "… was sent to X, but". */
export const outcomeUnknown = (where: string, why: string, cause?: unknown): Failure =>
  new Failure(
    'outcome-unknown',
    `A transaction was sent to ${where}, but ${why}: it may be committed or not. It is read before anything is repeated.`,
    { cause },
  );

export const closedHere = (where: string): Failure =>
  new Failure(
    'source-unreachable',
    `The connection to ${where} was closed by this process. Nothing was sent.`,
  );
