import aclsAtRisk from './acls-at-risk';
import addressNotInIpam from './address-not-in-ipam';
import addressOnlyInIpam from './address-only-in-ipam';
import adminNetworkPolicyWithoutAcls from './admin-network-policy-without-acls';
import attachmentOfPodMissing from './attachment-of-pod-missing';
import baselineAdminNetworkPolicyWithoutAcls from './baseline-admin-network-policy-without-acls';
import bfdSessionDown from './bfd-session-down';
import bfdSessionUnused from './bfd-session-unused';
import bfdSessionWithoutPort from './bfd-session-without-port';
import chassisAtRisk from './chassis-at-risk';
import clusterNetworkPolicyWithoutAcls from './cluster-network-policy-without-acls';
import controllerBlind from './controller-blind';
import controllerCrashLoop from './controller-crash-loop';
import controllerEndsOften from './controller-ends-often';
import controllerNotLeading from './controller-not-leading';
import deniedPortWithoutSecurityGroup from './denied-port-without-security-group';
import duplicateAcl from './duplicate-acl';
import duplicateAddressRecord from './duplicate-address-record';
import duplicateChassis from './duplicate-chassis';
import duplicateIptablesEipAddress from './duplicate-iptables-eip-address';
import duplicateOvnEipAddress from './duplicate-ovn-eip-address';
import duplicatePortAddress from './duplicate-port-address';
import duplicateVipAddress from './duplicate-vip-address';
import gatewayAclWithoutPolicy from './gateway-acl-without-policy';
import gatewayChassisMissing from './gateway-chassis-missing';
import gatewayNodeMissing from './gateway-node-missing';
import heldPod from './held-pod';
import instanceAddressAtRisk from './instance-address-at-risk';
import ipOfFormerSubnet from './ip-of-former-subnet';
import ipOfRemovedInterface from './ip-of-removed-interface';
import ipPoolUsageDrift from './ip-pool-usage-drift';
import iptablesDnatRuleChangeMissed from './iptables-dnat-rule-change-missed';
import iptablesDnatRuleWithoutEip from './iptables-dnat-rule-without-eip';
import iptablesEipSharesIpamKey from './iptables-eip-shares-ipam-key';
import iptablesFipRuleChangeMissed from './iptables-fip-rule-change-missed';
import iptablesFipRuleWithoutEip from './iptables-fip-rule-without-eip';
import iptablesSnatRuleChangeMissed from './iptables-snat-rule-change-missed';
import iptablesSnatRuleWithoutEip from './iptables-snat-rule-without-eip';
import keptAddressChanged from './kept-address-changed';
import keptAddressLost from './kept-address-lost';
import leakedIp from './leaked-ip';
import leakedOvnEip from './leaked-ovn-eip';
import leakedVip from './leaked-vip';
import loadBalancerVipOfOtherVpc from './load-balancer-vip-of-other-vpc';
import localnetTagWrong from './localnet-tag-wrong';
import machinePortsAtRisk from './machine-ports-at-risk';
import migrationOptionsLeft from './migration-options-left';
import misplacedPod from './misplaced-pod';
import missingIp from './missing-ip';
import missingIpPortMapping from './missing-ip-port-mapping';
import missingLogicalSwitchPort from './missing-logical-switch-port';
import missingPortGroupMember from './missing-port-group-member';
import namespaceNamesFormerNetwork from './namespace-names-former-network';
import namespaceWithoutSubnet from './namespace-without-subnet';
import natGatewayAtRisk from './nat-gateway-at-risk';
import natToNobody from './nat-to-nobody';
import neighbourDamaged from './neighbour-damaged';
import neighboursAtRisk from './neighbours-at-risk';
import networkPoliciesShareGroup from './network-policies-share-group';
import networkPolicyAllowMissing from './network-policy-allow-missing';
import networkPolicySharesNodeGroup from './network-policy-shares-node-group';
import networkPolicyWithoutAcls from './network-policy-without-acls';
import nodeWithoutChassis from './node-without-chassis';
import orphanedAddressSet from './orphaned-address-set';
import orphanedBfd from './orphaned-bfd';
import orphanedDhcpOptions from './orphaned-dhcp-options';
import orphanedHaChassisGroup from './orphaned-ha-chassis-group';
import orphanedLbDeployment from './orphaned-lb-deployment';
import orphanedLoadBalancer from './orphaned-load-balancer';
import orphanedLoadBalancerHealthCheck from './orphaned-load-balancer-health-check';
import orphanedLogicalRouter from './orphaned-logical-router';
import orphanedLogicalRouterPolicy from './orphaned-logical-router-policy';
import orphanedLogicalRouterPort from './orphaned-logical-router-port';
import orphanedLogicalSwitch from './orphaned-logical-switch';
import orphanedLogicalSwitchPort from './orphaned-logical-switch-port';
import orphanedMeter from './orphaned-meter';
import orphanedNat from './orphaned-nat';
import orphanedNatGatewaySet from './orphaned-nat-gateway-set';
import orphanedPortGroup from './orphaned-port-group';
import orphanedSwitchLbService from './orphaned-switch-lb-service';
import orphanedVpcLbDeployment from './orphaned-vpc-lb-deployment';
import ovnDnatRuleChangeIgnored from './ovn-dnat-rule-change-ignored';
import ovnDnatRuleWithoutVip from './ovn-dnat-rule-without-vip';
import ovnEipChangeIgnored from './ovn-eip-change-ignored';
import ovnEipSharesIpamKey from './ovn-eip-shares-ipam-key';
import ovnFipWithoutNat from './ovn-fip-without-nat';
import ovnSnatRuleChangeIgnored from './ovn-snat-rule-change-ignored';
import ovnSnatRuleWithoutNat from './ovn-snat-rule-without-nat';
import podAddressDisagrees from './pod-address-disagrees';
import podGatewayPolicyMissing from './pod-gateway-policy-missing';
import podWithoutAddress from './pod-without-address';
import portBoundElsewhere from './port-bound-elsewhere';
import portDown from './port-down';
import portOnWrongSwitch from './port-on-wrong-switch';
import providerNetworkOfVlanMissing from './provider-network-of-vlan-missing';
import retieredAcls from './retiered-acls';
import routerPolicyWithoutSet from './router-policy-without-set';
import securityGroupWithoutAcls from './security-group-without-acls';
import securityGroupsShareGroup from './security-groups-share-group';
import serviceVipMissing from './service-vip-missing';
import silentChassis from './silent-chassis';
import staleChassis from './stale-chassis';
import staleGatewayPolicy from './stale-gateway-policy';
import staleIpPortMapping from './stale-ip-port-mapping';
import staleLoadBalancerVip from './stale-load-balancer-vip';
import stalePolicyRoute from './stale-policy-route';
import stalePortGroupMember from './stale-port-group-member';
import staleSecurityGroupKey from './stale-security-group-key';
import staleSecurityGroupMember from './stale-security-group-member';
import staleStaticRoute from './stale-static-route';
import staleSubnetPolicy from './stale-subnet-policy';
import staticRoutesReplaceEachOther from './static-routes-replace-each-other';
import stuckIpDeletion from './stuck-ip-deletion';
import stuckIpPoolDeletion from './stuck-ip-pool-deletion';
import stuckIptablesDnatRuleDeletion from './stuck-iptables-dnat-rule-deletion';
import stuckIptablesEipDeletion from './stuck-iptables-eip-deletion';
import stuckIptablesFipRuleDeletion from './stuck-iptables-fip-rule-deletion';
import stuckIptablesSnatRuleDeletion from './stuck-iptables-snat-rule-deletion';
import stuckOvnDnatRuleDeletion from './stuck-ovn-dnat-rule-deletion';
import stuckOvnEipDeletion from './stuck-ovn-eip-deletion';
import stuckOvnFipDeletion from './stuck-ovn-fip-deletion';
import stuckOvnSnatRuleDeletion from './stuck-ovn-snat-rule-deletion';
import stuckQosPolicyDeletion from './stuck-qos-policy-deletion';
import stuckSubnetDeletion from './stuck-subnet-deletion';
import stuckVipDeletion from './stuck-vip-deletion';
import stuckVpcDeletion from './stuck-vpc-deletion';
import stuckVpcEgressGatewayDeletion from './stuck-vpc-egress-gateway-deletion';
import stuckVpcNatGatewayDeletion from './stuck-vpc-nat-gateway-deletion';
import subnetJoinedToFormerVpc from './subnet-joined-to-former-vpc';
import subnetNamedLikeVpc from './subnet-named-like-vpc';
import subnetOwnAddressLost from './subnet-own-address-lost';
import subnetUsageDrift from './subnet-usage-drift';
import subnetWithoutAcls from './subnet-without-acls';
import subnetWithoutRouterPort from './subnet-without-router-port';
import switchLbRuleWithoutService from './switch-lb-rule-without-service';
import twoControllers from './two-controllers';
import uninstalledAddressSet from './uninstalled-address-set';
import uninstalledHaChassisGroup from './uninstalled-ha-chassis-group';
import uninstalledLoadBalancer from './uninstalled-load-balancer';
import uninstalledPortGroup from './uninstalled-port-group';
import uplinkOfFormerVlan from './uplink-of-former-vlan';
import vlanOfSubnetInConflict from './vlan-of-subnet-in-conflict';
import vlanOfSubnetMissing from './vlan-of-subnet-missing';
import vpcEgressGatewayPolicyMissing from './vpc-egress-gateway-policy-missing';
import vpcEgressGatewaySourceMissing from './vpc-egress-gateway-source-missing';
import vpcEgressGatewayWithoutPolicies from './vpc-egress-gateway-without-policies';
import vpcEgressGatewayWithoutPortGroup from './vpc-egress-gateway-without-port-group';
import vpcNatGatewayPolicyMissing from './vpc-nat-gateway-policy-missing';
import vpcOfSubnetMissing from './vpc-of-subnet-missing';
import vpcPolicyRouteMissing from './vpc-policy-route-missing';
import vpcStaticRouteMissing from './vpc-static-route-missing';
import type { Rule } from '../rule-kit/rule';

/** Every rule; a test holds this list equal to the folder. */
export const RULES: readonly Rule[] = [
  aclsAtRisk,
  addressNotInIpam,
  addressOnlyInIpam,
  adminNetworkPolicyWithoutAcls,
  attachmentOfPodMissing,
  baselineAdminNetworkPolicyWithoutAcls,
  bfdSessionDown,
  bfdSessionUnused,
  bfdSessionWithoutPort,
  chassisAtRisk,
  clusterNetworkPolicyWithoutAcls,
  controllerBlind,
  controllerCrashLoop,
  controllerEndsOften,
  controllerNotLeading,
  deniedPortWithoutSecurityGroup,
  duplicateAcl,
  duplicateAddressRecord,
  duplicateChassis,
  duplicateIptablesEipAddress,
  duplicateOvnEipAddress,
  duplicatePortAddress,
  duplicateVipAddress,
  gatewayAclWithoutPolicy,
  gatewayChassisMissing,
  gatewayNodeMissing,
  heldPod,
  instanceAddressAtRisk,
  ipOfFormerSubnet,
  ipOfRemovedInterface,
  ipPoolUsageDrift,
  iptablesDnatRuleChangeMissed,
  iptablesDnatRuleWithoutEip,
  iptablesEipSharesIpamKey,
  iptablesFipRuleChangeMissed,
  iptablesFipRuleWithoutEip,
  iptablesSnatRuleChangeMissed,
  iptablesSnatRuleWithoutEip,
  keptAddressChanged,
  keptAddressLost,
  leakedIp,
  leakedOvnEip,
  leakedVip,
  loadBalancerVipOfOtherVpc,
  localnetTagWrong,
  machinePortsAtRisk,
  migrationOptionsLeft,
  misplacedPod,
  missingIp,
  missingIpPortMapping,
  missingLogicalSwitchPort,
  missingPortGroupMember,
  namespaceNamesFormerNetwork,
  namespaceWithoutSubnet,
  natGatewayAtRisk,
  natToNobody,
  neighbourDamaged,
  neighboursAtRisk,
  networkPoliciesShareGroup,
  networkPolicyAllowMissing,
  networkPolicySharesNodeGroup,
  networkPolicyWithoutAcls,
  nodeWithoutChassis,
  orphanedAddressSet,
  orphanedBfd,
  orphanedDhcpOptions,
  orphanedHaChassisGroup,
  orphanedLbDeployment,
  orphanedLoadBalancer,
  orphanedLoadBalancerHealthCheck,
  orphanedLogicalRouter,
  orphanedLogicalRouterPolicy,
  orphanedLogicalRouterPort,
  orphanedLogicalSwitch,
  orphanedLogicalSwitchPort,
  orphanedMeter,
  orphanedNat,
  orphanedNatGatewaySet,
  orphanedPortGroup,
  orphanedSwitchLbService,
  orphanedVpcLbDeployment,
  ovnDnatRuleChangeIgnored,
  ovnDnatRuleWithoutVip,
  ovnEipChangeIgnored,
  ovnEipSharesIpamKey,
  ovnFipWithoutNat,
  ovnSnatRuleChangeIgnored,
  ovnSnatRuleWithoutNat,
  podAddressDisagrees,
  podGatewayPolicyMissing,
  podWithoutAddress,
  portBoundElsewhere,
  portDown,
  portOnWrongSwitch,
  providerNetworkOfVlanMissing,
  retieredAcls,
  routerPolicyWithoutSet,
  securityGroupWithoutAcls,
  securityGroupsShareGroup,
  serviceVipMissing,
  silentChassis,
  staleChassis,
  staleGatewayPolicy,
  staleIpPortMapping,
  staleLoadBalancerVip,
  stalePolicyRoute,
  stalePortGroupMember,
  staleSecurityGroupKey,
  staleSecurityGroupMember,
  staleStaticRoute,
  staleSubnetPolicy,
  staticRoutesReplaceEachOther,
  stuckIpDeletion,
  stuckIpPoolDeletion,
  stuckIptablesDnatRuleDeletion,
  stuckIptablesEipDeletion,
  stuckIptablesFipRuleDeletion,
  stuckIptablesSnatRuleDeletion,
  stuckOvnDnatRuleDeletion,
  stuckOvnEipDeletion,
  stuckOvnFipDeletion,
  stuckOvnSnatRuleDeletion,
  stuckQosPolicyDeletion,
  stuckSubnetDeletion,
  stuckVipDeletion,
  stuckVpcDeletion,
  stuckVpcEgressGatewayDeletion,
  stuckVpcNatGatewayDeletion,
  subnetJoinedToFormerVpc,
  subnetNamedLikeVpc,
  subnetOwnAddressLost,
  subnetUsageDrift,
  subnetWithoutAcls,
  subnetWithoutRouterPort,
  switchLbRuleWithoutService,
  twoControllers,
  uninstalledAddressSet,
  uninstalledHaChassisGroup,
  uninstalledLoadBalancer,
  uninstalledPortGroup,
  uplinkOfFormerVlan,
  vlanOfSubnetInConflict,
  vlanOfSubnetMissing,
  vpcEgressGatewayPolicyMissing,
  vpcEgressGatewaySourceMissing,
  vpcEgressGatewayWithoutPolicies,
  vpcEgressGatewayWithoutPortGroup,
  vpcNatGatewayPolicyMissing,
  vpcOfSubnetMissing,
  vpcPolicyRouteMissing,
  vpcStaticRouteMissing,
];
