import duplicateAddressRecord from './duplicate-address-record';
import duplicatePortAddress from './duplicate-port-address';
import leakedIp from './leaked-ip';
import leakedVip from './leaked-vip';
import misplacedPod from './misplaced-pod';
import missingLogicalSwitchPort from './missing-logical-switch-port';
import orphanedAddressSet from './orphaned-address-set';
import orphanedDhcpOptions from './orphaned-dhcp-options';
import orphanedLoadBalancer from './orphaned-load-balancer';
import orphanedLogicalRouterPolicy from './orphaned-logical-router-policy';
import orphanedLogicalRouterPort from './orphaned-logical-router-port';
import orphanedLogicalSwitchPort from './orphaned-logical-switch-port';
import orphanedNat from './orphaned-nat';
import orphanedPortGroup from './orphaned-port-group';
import portOnWrongSwitch from './port-on-wrong-switch';
import staleLoadBalancerVip from './stale-load-balancer-vip';
import stalePortGroupMember from './stale-port-group-member';
import staleSecurityGroupKey from './stale-security-group-key';
import stuckIpDeletion from './stuck-ip-deletion';
import stuckIptablesEipDeletion from './stuck-iptables-eip-deletion';
import stuckOvnEipDeletion from './stuck-ovn-eip-deletion';
import stuckSubnetDeletion from './stuck-subnet-deletion';
import stuckVpcDeletion from './stuck-vpc-deletion';
import subnetUsageDrift from './subnet-usage-drift';
import vlanOfSubnetMissing from './vlan-of-subnet-missing';
import vpcOfSubnetMissing from './vpc-of-subnet-missing';
import type { Rule } from './rule';

/** Every rule; a test holds this list equal to the folder. */
export const RULES: readonly Rule[] = [
  duplicateAddressRecord,
  duplicatePortAddress,
  leakedIp,
  leakedVip,
  misplacedPod,
  missingLogicalSwitchPort,
  orphanedAddressSet,
  orphanedDhcpOptions,
  orphanedLoadBalancer,
  orphanedLogicalRouterPolicy,
  orphanedLogicalRouterPort,
  orphanedLogicalSwitchPort,
  orphanedNat,
  orphanedPortGroup,
  portOnWrongSwitch,
  staleLoadBalancerVip,
  stalePortGroupMember,
  staleSecurityGroupKey,
  stuckIpDeletion,
  stuckIptablesEipDeletion,
  stuckOvnEipDeletion,
  stuckSubnetDeletion,
  stuckVpcDeletion,
  subnetUsageDrift,
  vlanOfSubnetMissing,
  vpcOfSubnetMissing,
];
