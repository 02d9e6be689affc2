import type { Relation } from '../world/relation';
import { aclsByHolder } from './acls-by-holder';
import { bearingChildren } from './bearing-children';
import { claimsByVip } from './claims-by-vip';
import { healthChecksByHolder } from './health-checks-by-holder';
import { portsByName } from './ports-by-name';
import { protectingChildren } from './protecting-children';
import { referrersByName } from './referrers-by-name';
import { referrersByUid } from './referrers-by-uid';
import { rowByUid } from './row-by-uid';
import { switchesByName } from './switches-by-name';
import { vpcsByLoadBalancer } from './vpcs-by-load-balancer';

/** Every relation the fold keeps; a test holds this list equal to the folder. */
export const RELATIONS: readonly Relation[] = [
  aclsByHolder,
  bearingChildren,
  claimsByVip,
  healthChecksByHolder,
  portsByName,
  protectingChildren,
  referrersByName,
  referrersByUid,
  rowByUid,
  switchesByName,
  vpcsByLoadBalancer,
];
