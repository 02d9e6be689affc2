import { gatewayChurn } from './gateway-churn';
import type { Incident } from './incident';
import { machinePortLost } from './machine-port-lost';
import { neighboursCollected } from './neighbours-collected';
import { releaseInBadOrder } from './release-in-bad-order';
import { vpcDeleted } from './vpc-deleted';

/**
 * The five incidents ovn-steward was founded on; a test holds this list equal to the folder, and
 * docs/incidents.md equal to it.
 */
export const INCIDENTS: readonly Incident[] = [
  neighboursCollected,
  vpcDeleted,
  machinePortLost,
  gatewayChurn,
  releaseInBadOrder,
];
