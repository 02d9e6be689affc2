import { adminNetworkPolicy } from './admin-network-policy';
import { customResourceDefinition } from './custom-resource-definition';
import { endpointSlice } from './endpoint-slice';
import { ip } from './ip';
import { ipPool } from './ip-pool';
import { iptablesDnatRule, iptablesEip, iptablesFipRule, iptablesSnatRule } from './iptables-nat';
import { routerLbRule, switchLbRule } from './lb-rule';
import { lease } from './lease';
import { namespace } from './namespace';
import { networkAttachmentDefinition } from './network-attachment-definition';
import { networkPolicy } from './network-policy';
import { node } from './node';
import { ovnDnatRule, ovnEip, ovnFip, ovnSnatRule } from './ovn-nat';
import { pod } from './pod';
import { qosPolicy } from './qos-policy';
import { securityGroup } from './security-group';
import { service } from './service';
import type { Shape } from './shape';
import { subnet } from './subnet';
import { providerNetwork, vlan } from './underlay';
import { vip } from './vip';
import {
  virtualMachine,
  virtualMachineInstance,
  virtualMachineInstanceMigration,
} from './virtual-machine';
import { vpc } from './vpc';
import { vpcEgressGateway } from './vpc-egress-gateway';
import { vpcNatGateway } from './vpc-nat-gateway';
import { workload } from './workload';

/** What we keep of each kind; a test holds the kinds equal to the catalogue. */
export const PROJECTIONS: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    Node: node,
    Namespace: namespace,
    Pod: pod,
    Service: service,
    Deployment: workload,
    ReplicaSet: workload,
    StatefulSet: workload,
    DaemonSet: workload,
    EndpointSlice: endpointSlice,
    NetworkPolicy: networkPolicy,
    AdminNetworkPolicy: adminNetworkPolicy,
    BaselineAdminNetworkPolicy: adminNetworkPolicy,
    ClusterNetworkPolicy: adminNetworkPolicy,
    Lease: lease,
    CustomResourceDefinition: customResourceDefinition,
    NetworkAttachmentDefinition: networkAttachmentDefinition,
    VirtualMachine: virtualMachine,
    VirtualMachineInstance: virtualMachineInstance,
    VirtualMachineInstanceMigration: virtualMachineInstanceMigration,
    Vpc: vpc,
    Subnet: subnet,
    IP: ip,
    IPPool: ipPool,
    Vip: vip,
    SecurityGroup: securityGroup,
    Vlan: vlan,
    ProviderNetwork: providerNetwork,
    VpcNatGateway: vpcNatGateway,
    IptablesEIP: iptablesEip,
    IptablesFIPRule: iptablesFipRule,
    IptablesDnatRule: iptablesDnatRule,
    IptablesSnatRule: iptablesSnatRule,
    OvnEip: ovnEip,
    OvnFip: ovnFip,
    OvnSnatRule: ovnSnatRule,
    OvnDnatRule: ovnDnatRule,
    SwitchLBRule: switchLbRule,
    RouterLBRule: routerLbRule,
    QoSPolicy: qosPolicy,
    VpcEgressGateway: vpcEgressGateway,
  }),
);
