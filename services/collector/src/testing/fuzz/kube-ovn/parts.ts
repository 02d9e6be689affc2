import type { Controller, Job, Parts } from './controller';
import { collectIps, collectPorts, initialize } from './collection';
import { eips, ips, recountIptablesEips, recountVips } from './ips';
import { dnatRules, endingEips } from './dnat-rules';
import { floatingIps } from './floating-ips';
import { snatRules } from './snat-rules';
import { uplinks } from './uplinks';
import { ipPools } from './ip-pools';
import { machines } from './machines';
import { namespacesOfSubnets } from './namespaces';
import { collectGateways, gateways } from './gateways';
import { inspect, pods } from './pods';
import { collectPolicies, policies, policiesOfPods } from './policies';
import { collectNatGateways, dropGatewaySet, natGateways } from './nat-gateway-objects';
import { natGatewayPods, natGatewayThings } from './nat-gateways';
import { collectVips, endpoints, ensureBalancer, services } from './services';
import { groupsOfPods } from './security-group-ports';
import { collectSecurityGroups, securityGroups, startSecurityGroups } from './security-groups';
import { switchLbRules } from './switch-lb-rules';
import { startAcls } from './tiers';
import { collectSwitches, collectVpcs } from './collect-networks';
import { subnets, subnetsOfVpcs } from './subnets';
import { eipsOfRouters } from './vpc-external';
import { vpcRoutes } from './vpc-routes';
import { vpcs } from './vpcs';
import { balancedServices, balancedVpcs, collectLoadBalancers } from './workloads';
import { vips } from './vips';

function* begin(controller: Controller): Job {
  yield* startAcls(controller.cluster);
  yield* startSecurityGroups(controller);
  yield* ensureBalancer(controller);
  yield* initialize(controller);
}

function* collect(controller: Controller): Job {
  yield* collectSwitches(controller);
  yield* collectVips(controller);
  yield* collectVpcs(controller);
  yield* collectPolicies(controller);
  yield* collectSecurityGroups(controller);
  yield* collectGateways(controller);
  yield* collectIps(controller);
  yield* collectNatGateways(controller);
  yield* dropGatewaySet(controller);
  yield* collectLoadBalancers(controller);
}

/** All of the controller that is played. */
export const PARTS: Parts = {
  handlers: {
    Pod: (controller, event) => {
      pods(controller, event);
      policiesOfPods(controller, event);
      gateways(controller, event);
      groupsOfPods(controller, event);
      natGatewayPods(controller, event);
    },
    IP: ips,
    IPPool: ipPools,
    NetworkPolicy: policies,
    SecurityGroup: securityGroups,
    OvnEip: (controller, event) => {
      eips(controller, event);
      eipsOfRouters(controller, event);
      endingEips(controller, event);
    },
    OvnDnatRule: dnatRules,
    Service: (controller, event) => {
      services(controller, event);
      balancedServices(controller, event);
    },
    EndpointSlice: endpoints,
    SwitchLBRule: switchLbRules,
    IptablesEIP: (controller, event) => {
      natGatewayThings(controller, event);
      recountIptablesEips(controller, event);
    },
    IptablesFIPRule: natGatewayThings,
    IptablesSnatRule: natGatewayThings,
    IptablesDnatRule: natGatewayThings,
    QoSPolicy: natGatewayThings,
    VpcNatGateway: natGateways,
    Vip: (controller, event) => {
      vips(controller, event);
      recountVips(controller, event);
    },
    OvnFip: floatingIps,
    OvnSnatRule: snatRules,
    Vlan: uplinks,
    VirtualMachine: machines,
    Vpc: (controller, event) => {
      vpcRoutes(controller, event);
      vpcs(controller, event);
      balancedVpcs(controller, event);
      subnetsOfVpcs(controller, event);
    },
    Subnet: (controller, event) => {
      subnets(controller, event);
      namespacesOfSubnets(controller, event);
    },
  },
  rounds: [
    { everyMs: 20_000, job: inspect },
    { everyMs: 360_000, job: collectPorts },
  ],
  initialize: begin,
  collect,
};
