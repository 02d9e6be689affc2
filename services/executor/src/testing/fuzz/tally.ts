/** What a run of the fuzz counted. The first seven after the steps are what it is judged by. */
export interface Tally {
  steps: number;
  /**
   * Something that was no garbage at the instant of the commit went, and was not put back at once;
   * or something that was not the target.
   */
  wrongDeletions: number;
  /** One thing removed twice by one action, or one undo done twice. */
  doubleEffects: number;
  /**
   * A claim that never ended, in the ledger or on the topic; or one that ended as something else
   * than what was done.
   */
  lostOutcomes: number;
  /** Something put back that is not what was removed. */
  undoMismatches: number;
  /**
   * Something an executor sent within a hold that was in the log before, and that did not except
   * it.
   */
  heldEffects: number;
  /**
   * Something removed beyond a ceiling, outside a window, in a freeze, faster than the rate, or
   * without the approval or the controller it wants.
   */
  unbrakedEffects: number;
  /** What the code under test is not meant to throw. */
  unexpectedErrors: number;
  /**
   * Attempts: how often an address of an executor was made to lead to another cluster, and how
   * often a record was forged or published again.
   */
  mispaired: number;
  forged: number;
  /** How often the servers of the Northbound showed another schema. */
  schemas: number;
  /** Made again in another cluster, to which the address led since it was asked who answers. */
  strayed: number;
  /**
   * Effects that were done, and of them those whose owner came at the last moment and that were put
   * back, or made moot.
   */
  removals: number;
  raced: number;
  undone: number;
  /** Reported as unclear: a put-back whose sender died and that somebody replaced since. */
  unclear: number;
  /** Claims that people gave up and an executor ended so. */
  givenUp: number;
  /** Removals that were one transaction with others. */
  together: number;
  crashes: number;
  pauses: number;
  refusals: number;
}

export const emptyTally = (): Tally => ({
  steps: 0,
  wrongDeletions: 0,
  doubleEffects: 0,
  lostOutcomes: 0,
  undoMismatches: 0,
  heldEffects: 0,
  unbrakedEffects: 0,
  unexpectedErrors: 0,
  mispaired: 0,
  forged: 0,
  schemas: 0,
  strayed: 0,
  removals: 0,
  raced: 0,
  undone: 0,
  unclear: 0,
  givenUp: 0,
  together: 0,
  crashes: 0,
  pauses: 0,
  refusals: 0,
});

export const OFFENCES = [
  'wrongDeletions',
  'doubleEffects',
  'lostOutcomes',
  'undoMismatches',
  'heldEffects',
  'unbrakedEffects',
  'unexpectedErrors',
] as const;

/** An offence, with what happened. */
export interface Offence {
  readonly kind: (typeof OFFENCES)[number];
  readonly what: string;
}
