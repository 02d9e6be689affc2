import type { Reference, SourceId } from '@ovn-steward/contracts/identity/reference';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type * as K from './kubernetes-objects';
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
  Node: K.Node;
  Namespace: K.TypedObject;
  Pod: K.Pod;
  Service: K.Service;
  Deployment: K.Workload;
  ReplicaSet: K.Workload;
  StatefulSet: K.Workload;
  DaemonSet: K.Workload;
  EndpointSlice: K.EndpointSlice;
  NetworkPolicy: K.NetworkPolicy;
  AdminNetworkPolicy: K.AdminNetworkPolicy;
  BaselineAdminNetworkPolicy: K.AdminNetworkPolicy;
  ClusterNetworkPolicy: K.AdminNetworkPolicy;
  Lease: K.TypedObject;
  CustomResourceDefinition: K.TypedObject;
  NetworkAttachmentDefinition: K.TypedObject;
  VirtualMachine: K.VirtualMachine;
  VirtualMachineInstance: K.VirtualMachineInstance;
  VirtualMachineInstanceMigration: K.VirtualMachineInstanceMigration;
  Vpc: K.Vpc;
  Subnet: K.Subnet;
  IP: K.IP;
  IPPool: K.IPPool;
  Vip: K.Vip;
  SecurityGroup: K.SecurityGroup;
  Vlan: K.TypedObject;
  ProviderNetwork: K.TypedObject;
  VpcNatGateway: K.VpcNatGateway;
  IptablesEIP: K.IptablesEIP;
  IptablesFIPRule: K.NatRule;
  IptablesDnatRule: K.NatRule;
  IptablesSnatRule: K.NatRule;
  OvnEip: K.OvnEip;
  OvnFip: K.NatRule;
  OvnSnatRule: K.NatRule;
  OvnDnatRule: K.NatRule;
  SwitchLBRule: K.SwitchLBRule;
  RouterLBRule: K.RouterLBRule;
  QoSPolicy: K.TypedObject;
  VpcEgressGateway: K.VpcEgressGateway;
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
