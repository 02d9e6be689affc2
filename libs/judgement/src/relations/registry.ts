import type { Relation } from '../world/relation';
import { aclsByDirection } from './acls-by-direction';
import { aclsByHolder } from './acls-by-holder';
import { aclsByRule } from './acls-by-rule';
import { addressSetsByPool } from './address-sets-by-pool';
import { adminPolicies } from './admin-policies';
import { adminPoliciesByGroup } from './admin-policies-by-group';
import { annotatedNamespaces } from './annotated-namespaces';
import { answeredVips } from './answered-vips';
import { attachmentDefinitions } from './attachment-definitions';
import { balancersByVip } from './balancers-by-vip';
import { bearingChildren } from './bearing-children';
import { chassisByHost } from './chassis-by-host';
import { chassisByRouterPort } from './chassis-by-router-port';
import { claimsByVip } from './claims-by-vip';
import { damagedRows } from './damaged-rows';
import { databases } from './databases';
import { defaultNetworkPods } from './default-network-pods';
import { encapsByIp } from './encaps-by-ip';
import { foreignChassis } from './foreign-chassis';
import { gatewayPodsByAddress } from './gateway-pods-by-address';
import { gatewayPolicies } from './gateway-policies';
import { groupMarkedRows } from './group-marked-rows';
import { healthChecksByHolder } from './health-checks-by-holder';
import { healthChecksBySubnet } from './health-checks-by-subnet';
import { holdersByAddress } from './holders-by-address';
import { holdersBySubnet } from './holders-by-subnet';
import { hostRoutes } from './host-routes';
import { interfacePorts } from './interface-ports';
import { iptablesEipsByAddress } from './iptables-eips-by-address';
import { iptablesNatRulesByEip } from './iptables-nat-rules-by-eip';
import { keylessBalancers } from './keyless-balancers';
import { kubeOvnControllers } from './kube-ovn-controllers';
import { kubeOvnNetworks } from './kube-ovn-networks';
import { kubeOvnPods } from './kube-ovn-pods';
import { migrationsByMachine } from './migrations-by-machine';
import { namespacesBySubnet } from './namespaces-by-subnet';
import { natGatewayParts } from './nat-gateway-parts';
import { natGatewaysByNetwork } from './nat-gateways-by-network';
import { natRulesByTarget } from './nat-rules-by-target';
import { natUsersByAddress } from './nat-users-by-address';
import { natsByAddress } from './nats-by-address';
import { nodeGroupHalves } from './node-group-halves';
import { nodesByChassis } from './nodes-by-chassis';
import { nodesBySwitch } from './nodes-by-switch';
import { ovnEipsByAddress } from './ovn-eips-by-address';
import { ovnNatRulesByEip } from './ovn-nat-rules-by-eip';
import { ownersByRowName } from './owners-by-row-name';
import { podsByMachine } from './pods-by-machine';
import { policiesByNamespace } from './policies-by-namespace';
import { policiesByPortGroup } from './policies-by-port-group';
import { policyClaimsByBlock } from './policy-claims-by-block';
import { policyGroups } from './policy-groups';
import { poolsBySubnet } from './pools-by-subnet';
import { portsByAddress } from './ports-by-address';
import { portsByGroup } from './ports-by-group';
import { portsByPod } from './ports-by-pod';
import { portsBySwitch } from './ports-by-switch';
import { portsUp } from './ports-up';
import { protectingChildren } from './protecting-children';
import { qosPolicyUsers } from './qos-policy-users';
import { referrersByName } from './referrers-by-name';
import { referrersByUid } from './referrers-by-uid';
import { routerPoliciesByRule } from './router-policies-by-rule';
import { routerPortsByNetwork } from './router-ports-by-network';
import { routersByName } from './routers-by-name';
import { rowByUid } from './row-by-uid';
import { rowsByGateway } from './rows-by-gateway';
import { rowsBySubnet } from './rows-by-subnet';
import { servicesByVpcVip } from './services-by-vpc-vip';
import { servicesOfRules } from './services-of-rules';
import { sessionsUp } from './sessions-up';
import { slicesByService } from './slices-by-service';
import { staticRoutesByHop } from './static-routes-by-hop';
import { subnetsByNetwork } from './subnets-by-network';
import { subnetsByVpc } from './subnets-by-vpc';
import { switchRulesByVip } from './switch-rules-by-vip';
import { switchesByName } from './switches-by-name';
import { unservedPods } from './unserved-pods';
import { vipUsers } from './vip-users';
import { vpcsByLoadBalancer } from './vpcs-by-load-balancer';
import { vpcsByNamedSet } from './vpcs-by-named-set';

/** Every relation the fold keeps; a test holds this list equal to the folder. */
export const RELATIONS: readonly Relation[] = [
  aclsByDirection,
  aclsByHolder,
  aclsByRule,
  addressSetsByPool,
  adminPolicies,
  adminPoliciesByGroup,
  annotatedNamespaces,
  answeredVips,
  attachmentDefinitions,
  balancersByVip,
  bearingChildren,
  chassisByHost,
  chassisByRouterPort,
  claimsByVip,
  damagedRows,
  databases,
  defaultNetworkPods,
  encapsByIp,
  foreignChassis,
  gatewayPodsByAddress,
  gatewayPolicies,
  groupMarkedRows,
  healthChecksByHolder,
  healthChecksBySubnet,
  holdersByAddress,
  holdersBySubnet,
  hostRoutes,
  interfacePorts,
  iptablesEipsByAddress,
  iptablesNatRulesByEip,
  keylessBalancers,
  kubeOvnControllers,
  kubeOvnNetworks,
  kubeOvnPods,
  migrationsByMachine,
  namespacesBySubnet,
  natGatewayParts,
  natGatewaysByNetwork,
  natRulesByTarget,
  natUsersByAddress,
  natsByAddress,
  nodeGroupHalves,
  nodesByChassis,
  nodesBySwitch,
  ovnEipsByAddress,
  ovnNatRulesByEip,
  ownersByRowName,
  podsByMachine,
  policiesByNamespace,
  policiesByPortGroup,
  policyClaimsByBlock,
  policyGroups,
  poolsBySubnet,
  portsByAddress,
  portsByGroup,
  portsByPod,
  portsBySwitch,
  portsUp,
  protectingChildren,
  qosPolicyUsers,
  referrersByName,
  referrersByUid,
  routerPoliciesByRule,
  routerPortsByNetwork,
  routersByName,
  rowByUid,
  rowsByGateway,
  rowsBySubnet,
  servicesByVpcVip,
  servicesOfRules,
  sessionsUp,
  slicesByService,
  staticRoutesByHop,
  subnetsByNetwork,
  subnetsByVpc,
  switchRulesByVip,
  switchesByName,
  unservedPods,
  vipUsers,
  vpcsByLoadBalancer,
  vpcsByNamedSet,
];
