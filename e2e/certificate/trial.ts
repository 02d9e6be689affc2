/** What one part of the corpus came to. */
export interface Trial {
  /** What was tried, with the release or the recording. */
  readonly what: string;
  /** The release of Kube-OVN, and whether it was recorded or at work; where there is one. */
  readonly of?: { readonly release: string; readonly way: 'recording' | 'churn' | 'scenario' };
  /** The command that does it again. */
  readonly command: string;
  /** How much of it, in its own unit: steps, seconds, planted faults. */
  readonly amount: string;
  /** Of what lives, or belongs to others: called garbage or leaked. */
  readonly accused: number;
  /** Of the same: removed. */
  readonly deleted: number;
  /** Faults that were there and were not found. */
  readonly missed: number;
  /** Whether it came to its end as it should in every other respect, too. */
  readonly right: boolean;
  /** How often its part was tried until now, where that was not clean the first time. */
  readonly nth?: number;
}

export const isClean = ({ accused, deleted, right }: Trial): boolean =>
  accused + deleted === 0 && right;
