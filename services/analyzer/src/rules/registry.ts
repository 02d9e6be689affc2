import leakedIp from './leaked-ip';
import missingLogicalSwitchPort from './missing-logical-switch-port';
import orphanedAddressSet from './orphaned-address-set';
import orphanedLogicalSwitchPort from './orphaned-logical-switch-port';
import orphanedPortGroup from './orphaned-port-group';
import type { Rule } from './rule';
import staleLoadBalancerVip from './stale-load-balancer-vip';

/** Every rule; a test holds this list equal to the folder. */
export const RULES: readonly Rule[] = [
  leakedIp,
  missingLogicalSwitchPort,
  orphanedAddressSet,
  orphanedLogicalSwitchPort,
  orphanedPortGroup,
  staleLoadBalancerVip,
];
