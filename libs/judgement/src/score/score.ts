import type { Reference } from '@ovn-steward/contracts/identity/reference';

/** Something that Kube-OVN left, collected late, or removed although it was in use. */
export interface ScoredCase {
  readonly rule: string;
  readonly subject: Reference;
  readonly summary: string;
  /** Since when it was dead, or when it was removed though alive; RFC 3339, the sources' clock. */
  readonly at: string;
  /** It was dead before the observation began: it is older than `at` says. */
  readonly before: boolean;
  /**
   * How long it has been dead, or was when it was collected; of what was removed though alive, how
   * long it has been missing. Seconds.
   */
  readonly seconds: number;
}

/** How often, and at most a thousand of them: the latest. */
export interface ScoredCases {
  readonly count: number;
  readonly cases: readonly ScoredCase[];
}

/** What one release of Kube-OVN did while it was observed. */
export interface ReleaseScore {
  /** As the image of its controller or `NB_Global` says; `unknown` where neither does. */
  readonly release: string;
  /** How often a controller took the lead: most of the collection is done then. */
  readonly starts: number;
  /** Dead things that it removed within their grace. */
  readonly inTime: number;
  /** Those that it removed later. */
  readonly late: ScoredCases;
  /** Those that are left after their grace. */
  readonly missed: ScoredCases;
  /** Those that are left, and have been dead for less than their grace. */
  readonly pending: number;
  /**
   * Things of its own that were removed although what they are for was in use, and did not come
   * back within the grace.
   */
  readonly removedAlive: ScoredCases;
  /** Rows of others that were damaged. */
  readonly damaged: ScoredCases;
}

/** Kube-OVN's own collection, graded by what was observed of it alone. */
export interface Score {
  /**
   * When everything had been read for the first time, and up to when it was followed; RFC 3339,
   * empty while nothing was read.
   */
  readonly from: string;
  readonly through: string;
  readonly releases: readonly ReleaseScore[];
}

/** Seconds at half and at the end of the cases, in order; undefined of none. */
export function spreadOf({
  cases,
}: ScoredCases): { readonly median: number; readonly longest: number } | undefined {
  const sorted = cases.map((it) => it.seconds).sort((one, other) => one - other);
  const longest = sorted.at(-1);
  return longest === undefined
    ? undefined
    : { median: sorted[Math.floor((sorted.length - 1) / 2)]!, longest };
}
