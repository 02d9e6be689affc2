/** Something that is wrong, by what was made for whom. Written without a line of the rules. */
export interface Ill {
  /** The rule that is to say so. */
  readonly rule: string;
  /** Of the row or object it says it of. */
  readonly uid: string;
  readonly what: string;
  /**
   * Whether it must be said, must be said without a remedy, may be, or may only stay said: what
   * could be done about it would do harm by now.
   */
  readonly expected: 'must' | 'report' | 'may' | 'keep';
}
