import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { MovedEntity } from '@ovn-steward/judgement/world/world';
import type { Unsent } from '../store/checkpoint-step';

/** What batches brought about in one cluster. */
export interface DoneInCluster {
  readonly moved: MovedEntity[];
  /** Findings of an earlier run, taken up. */
  readonly recalled: Finding[];
  readonly changed: Finding[];
  readonly forgotten: string[];
}

/** What was done since the checkpoint was last saved. */
export interface Done {
  readonly clusters: Map<string, DoneInCluster>;
  readonly outgoing: Unsent[];
  /** How many records are folded in it. */
  records: number;
}

export const nothingDone = (): Done => ({ clusters: new Map(), outgoing: [], records: 0 });

export function doneIn({ clusters }: Done, cluster: string): DoneInCluster {
  let of = clusters.get(cluster);
  if (!of) clusters.set(cluster, (of = { moved: [], recalled: [], changed: [], forgotten: [] }));
  return of;
}
