import type { World } from './world';

/** What judging needs of a world, however it comes by its answers: the fold's, or one that is read from the living systems as it is asked. */
export type ReadableWorld = Pick<
  World,
  | 'byKey'
  | 'hasKey'
  | 'entity'
  | 'related'
  | 'hasRelated'
  | 'tallied'
  | 'knows'
  | 'apart'
  | 'recorded'
>;
