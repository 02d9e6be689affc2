import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** Findings and time of a cluster, to be taken up when its changes are judged again. */
export interface Earlier {
  readonly findings: readonly Finding[];
  readonly now: string;
}

/**
 * Changes that are folded and not judged: what they brought about is published already, or they are
 * too old to be judged one by one.
 */
export interface Unjudged {
  /** From this offset on everything is judged. */
  readonly until: bigint;
  /** Whether they are all still there, so that counts must agree. */
  readonly checked: boolean;
  readonly earlier: ReadonlyMap<string, Earlier>;
  /** Whether the checkpoint holds the earlier findings already. */
  readonly stored: boolean;
  /** The changes just before were not judged: suspicions start again. */
  readonly unwatched: boolean;
  readonly overtaken: readonly { readonly id: string; readonly value: string }[];
}
