import type { Policy } from '../policy-kit/policy';
import externalVpc from './external-vpc';
import ownPodPatches from './own-pod-patches';
import podGate from './pod-gate';
import podSubnet from './pod-subnet';
import vpcWithSubnets from './vpc-with-subnets';

/** Every policy, in the order of their names; a test holds this list equal to the folder. */
export const POLICIES: readonly Policy[] = [
  externalVpc,
  ownPodPatches,
  podGate,
  podSubnet,
  vpcWithSubnets,
];
