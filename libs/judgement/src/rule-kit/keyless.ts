import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';

/**
 * Whether nothing on the row identifies its maker: no key, no name that does, no column that this
 * version does not know.
 */
export const isKeyless = (row: Entity): boolean => localEvidence(row).owner === 'none';
