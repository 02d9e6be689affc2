import type { Relation } from '../world/relation';
import { bearingChildren } from './bearing-children';
import { portsByName } from './ports-by-name';
import { protectingChildren } from './protecting-children';
import { referrersByName } from './referrers-by-name';
import { referrersByUid } from './referrers-by-uid';
import { rowByUid } from './row-by-uid';
import { switchesByName } from './switches-by-name';

/** Every relation the fold keeps; a test holds this list equal to the folder. */
export const RELATIONS: readonly Relation[] = [
  bearingChildren,
  portsByName,
  protectingChildren,
  referrersByName,
  referrersByUid,
  rowByUid,
  switchesByName,
];
