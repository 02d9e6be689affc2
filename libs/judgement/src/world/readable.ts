import type { World } from './world';

/**
 * What judging needs of a world, wherever its answers come from: the fold, or a read of the living
 * systems for each query.
 */
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
> &
  Partial<Pick<World, 'followed'>>;
