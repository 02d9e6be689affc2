import type { Reference, SourceId } from '@ovn-steward/contracts/identity/reference';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type * as KubeOvn from './kube-ovn-objects';
import type * as Kubernetes from './kubernetes-objects';
import type { TypedObject } from './typed-object';
import type { FormerAddress } from './former-address';
import type { FormerRow } from './former-row';
import type * as O from './ovn-rows';
import type * as S from './southbound-rows';

/** The kinds rules know by shape. Every other kind is held as it came. */
export interface Objects {
  Logical_Switch: O.LogicalSwitch;
  Logical_Switch_Port: O.LogicalSwitchPort;
  Logical_Router: O.NbColumns;
  Logical_Router_Port: O.LogicalRouterPort;
  Logical_Router_Policy: O.LogicalRouterPolicy;
  Logical_Router_Static_Route: O.NbColumns;
  Port_Group: O.NbColumns;
  Address_Set: O.AddressSet;
  ACL: O.Acl;
  Load_Balancer: O.LoadBalancer;
  Load_Balancer_Health_Check: O.NbColumns;
  NAT: O.Nat;
  DHCP_Options: O.NbColumns;
  Gateway_Chassis: O.NbColumns;
  HA_Chassis_Group: O.NbColumns;
  BFD: O.NbColumns;
  Meter: O.NbColumns;
  NB_Global: O.NbColumns;
  Chassis: S.Chassis;
  Chassis_Private: S.ChassisPrivate;
  Encap: S.Encap;
  Port_Binding: S.PortBinding;
  SB_Global: O.NbColumns;
  /** Of no database: what is remembered of rows of others (`FormerRow`). */
  Former_Row: FormerRow;
  /** Of no API: what is remembered of address records that were deleted (`FormerAddress`). */
  Former_Address: FormerAddress;
  Node: Kubernetes.Node;
  Namespace: TypedObject;
  Pod: Kubernetes.Pod;
  Service: Kubernetes.Service;
  Deployment: Kubernetes.Workload;
  ReplicaSet: Kubernetes.Workload;
  StatefulSet: Kubernetes.Workload;
  DaemonSet: Kubernetes.Workload;
  EndpointSlice: Kubernetes.EndpointSlice;
  NetworkPolicy: Kubernetes.NetworkPolicy;
  AdminNetworkPolicy: Kubernetes.AdminNetworkPolicy;
  BaselineAdminNetworkPolicy: Kubernetes.AdminNetworkPolicy;
  ClusterNetworkPolicy: Kubernetes.AdminNetworkPolicy;
  Lease: TypedObject;
  CustomResourceDefinition: TypedObject;
  NetworkAttachmentDefinition: TypedObject;
  VirtualMachine: Kubernetes.VirtualMachine;
  VirtualMachineInstance: Kubernetes.VirtualMachineInstance;
  VirtualMachineInstanceMigration: Kubernetes.VirtualMachineInstanceMigration;
  Vpc: KubeOvn.Vpc;
  Subnet: KubeOvn.Subnet;
  IP: KubeOvn.IP;
  IPPool: KubeOvn.IPPool;
  Vip: KubeOvn.Vip;
  SecurityGroup: KubeOvn.SecurityGroup;
  Vlan: TypedObject;
  ProviderNetwork: TypedObject;
  VpcNatGateway: KubeOvn.VpcNatGateway;
  IptablesEIP: KubeOvn.IptablesEIP;
  IptablesFIPRule: KubeOvn.NatRule;
  IptablesDnatRule: KubeOvn.NatRule;
  IptablesSnatRule: KubeOvn.NatRule;
  OvnEip: KubeOvn.OvnEip;
  OvnFip: KubeOvn.NatRule;
  OvnSnatRule: KubeOvn.NatRule;
  OvnDnatRule: KubeOvn.NatRule;
  SwitchLBRule: KubeOvn.SwitchLBRule;
  RouterLBRule: KubeOvn.RouterLBRule;
  QoSPolicy: TypedObject;
  VpcEgressGateway: KubeOvn.VpcEgressGateway;
}

export type Kind = keyof Objects;

/** One incarnation of a row or an object, as the world holds it. Never mutated. */
export interface Entity<K extends string = string> {
  readonly source: SourceId;
  readonly stream: string;
  readonly kind: K;
  readonly uid: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: K extends Kind ? Objects[K] : Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/** What an entity is called, whatever it says. */
export type Identity<K extends string = string> = Omit<Entity<K>, 'object' | 'hash'>;

/** `namespace/name`, or the bare name. */
export const keyOf = (entity: Pick<Entity, 'namespace' | 'name'>): string =>
  objectKey(entity.namespace, entity.name);

/** The reference under which a finding speaks of the entity. */
export const referenceTo = (
  entity: Identity,
  part?: { column: string; key: string },
): Reference => ({
  source: entity.source,
  kind: entity.kind,
  ...(entity.namespace === undefined ? {} : { namespace: entity.namespace }),
  name: entity.name,
  uid: entity.uid,
  ...(part ? { part } : {}),
});
