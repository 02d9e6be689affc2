import type { Engine } from '@ovn-steward/judgement/engine/engine';

/**
 * What is known of one cluster at this moment, for reading. Get it again rather than keep it: a
 * rebuild starts another.
 */
export type AnalyzedCluster = Pick<
  Engine,
  'findings' | 'resolved' | 'finding' | 'unknowns' | 'pairing' | 'streams' | 'world' | 'now'
>;
