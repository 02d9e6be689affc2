/** Kubernetes objects as the collector projects them: Kubernetes' own structure, only the fields rules read. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

/** Who wrote a field last, by `metadata.managedFields`. Of Pods only; a dump made by kubectl lacks it. */
export interface ManagedFields {
  readonly manager: string;
  readonly fieldsV1?: {
    readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
  };
}

export interface TypedObject<
  Spec = Readonly<Record<string, unknown>>,
  Status = Readonly<Record<string, unknown>>,
> {
  readonly metadata: Metadata;
  readonly spec?: Spec;
  readonly status?: Status;
}

export type Node = TypedObject<
  Readonly<Record<string, unknown>>,
  {
    readonly addresses?: readonly { readonly type?: string; readonly address?: string }[];
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  }
>;

export type Pod = TypedObject<
  {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly restartPolicy?: string;
    readonly schedulingGates?: readonly { readonly name?: string }[];
  },
  {
    readonly phase?: string;
    readonly reason?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    /** Of kube-ovn-controller alone. */
    readonly containerStatuses?: readonly ContainerStatus[];
  }
>;

export interface ContainerStatus {
  readonly name?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string } };
  readonly lastState?: {
    readonly terminated?: { readonly exitCode?: number; readonly reason?: string };
  };
}

/** StatefulSet, Deployment, ReplicaSet, DaemonSet. */
export type Workload = TypedObject<{
  readonly replicas?: number;
  readonly ordinals?: { readonly start?: number };
  readonly template?: {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    };
    /** Of kube-ovn-controller: which garbage it collects, and the tag of its image. */
    readonly spec?: { readonly flags?: readonly string[]; readonly release?: string };
  };
}>;

interface VirtualMachineNetwork {
  readonly name?: string;
  readonly multus?: { readonly networkName: string; readonly default?: boolean };
  readonly pod?: Readonly<Record<string, unknown>>;
}

export type VirtualMachine = TypedObject<{
  readonly runStrategy?: string;
  readonly running?: boolean;
  readonly template?: {
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec?: { readonly networks?: readonly VirtualMachineNetwork[] };
  };
}>;

export type VirtualMachineInstance = TypedObject<
  { readonly networks?: readonly VirtualMachineNetwork[] },
  { readonly phase?: string; readonly nodeName?: string }
>;

export type VirtualMachineInstanceMigration = TypedObject<
  { readonly vmiName?: string },
  { readonly phase?: string }
>;

export type Subnet = TypedObject<
  {
    readonly vpc?: string;
    readonly provider?: string;
    readonly protocol?: string;
    readonly cidrBlock?: string;
    readonly gateway?: string;
    readonly gatewayType?: string;
    readonly enableEcmp?: boolean;
    readonly logicalGateway?: boolean;
    readonly excludeIps?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly namespaceSelectors?: readonly unknown[];
    readonly default?: boolean;
    readonly vlan?: string;
    readonly enableMulticastSnoop?: boolean;
    readonly u2oInterconnection?: boolean;
    readonly private?: boolean;
    readonly allowSubnets?: readonly string[];
    readonly acls?: readonly unknown[];
  },
  {
    readonly activateGateway?: string;
    readonly v4usingIPs?: number | string;
    readonly v4usingIPrange?: string;
    readonly v4availableIPs?: number | string;
    readonly v4availableIPrange?: string;
    readonly v6usingIPs?: number | string;
    readonly v6usingIPrange?: string;
    readonly v6availableIPs?: number | string;
    readonly v6availableIPrange?: string;
    readonly u2oInterconnectionIP?: string;
    readonly mcastQuerierIP?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  }
>;

export type SecurityGroup = TypedObject<
  {
    readonly ingressRules?: readonly unknown[];
    readonly egressRules?: readonly unknown[];
    readonly allowSameGroupTraffic?: boolean;
  },
  { readonly portGroup?: string }
>;

export type Vpc = TypedObject<
  {
    readonly namespaces?: readonly string[];
    readonly defaultSubnet?: string;
    readonly staticRoutes?: readonly Readonly<Record<string, unknown>>[];
    readonly policyRoutes?: readonly Readonly<Record<string, unknown>>[];
    readonly vpcPeerings?: readonly {
      readonly remoteVpc: string;
      readonly localConnectIP?: string;
    }[];
    readonly enableExternal?: boolean;
    readonly extraExternalSubnets?: readonly string[];
  },
  {
    readonly default?: boolean;
    readonly standby?: boolean;
    readonly router?: string;
    readonly defaultLogicalSwitch?: string;
    readonly subnets?: readonly string[];
    readonly vpcPeerings?: readonly string[];
    readonly tcpLoadBalancer?: string;
    readonly tcpSessionLoadBalancer?: string;
    readonly udpLoadBalancer?: string;
    readonly udpSessionLoadBalancer?: string;
    readonly sctpLoadBalancer?: string;
    readonly sctpSessionLoadBalancer?: string;
  }
>;

/** Kube-OVN's address record (`ips.kubeovn.io`): named after the port. */
export type IP = TypedObject<{
  readonly podName?: string;
  readonly namespace?: string;
  readonly subnet?: string;
  readonly nodeName?: string;
  readonly podType?: string;
  readonly ipAddress?: string;
  readonly v4IpAddress?: string;
  readonly v6IpAddress?: string;
  readonly macAddress?: string;
  readonly attachSubnets?: readonly string[];
  readonly attachIps?: readonly string[];
}>;

export type Vip = TypedObject<
  {
    readonly subnet?: string;
    readonly namespace?: string;
    readonly type?: string;
    readonly v4ip?: string;
    readonly v6ip?: string;
    readonly selector?: readonly string[];
    readonly attachSubnets?: readonly string[];
  },
  { readonly v4ip?: string; readonly v6ip?: string; readonly type?: string }
>;

export type IptablesEIP = TypedObject<
  {
    readonly v4ip?: string;
    readonly v6ip?: string;
    readonly natGwDp?: string;
    readonly externalSubnet?: string;
    readonly qosPolicy?: string;
  },
  {
    readonly ip?: string;
    readonly ready?: boolean;
    readonly nat?: string;
    readonly qosPolicy?: string;
  }
>;

export type OvnEip = TypedObject<
  {
    readonly externalSubnet?: string;
    readonly v4Ip?: string;
    readonly v6Ip?: string;
    readonly type?: string;
  },
  {
    readonly v4Ip?: string;
    readonly v6Ip?: string;
    readonly type?: string;
    readonly ready?: boolean;
    readonly nat?: string;
  }
>;

/** OvnFip, OvnSnatRule, OvnDnatRule and the Iptables rules: the fields they share. */
export type NatRule = TypedObject<
  {
    readonly ovnEip?: string;
    readonly eip?: string;
    readonly vpc?: string;
    readonly vpcSubnet?: string;
    readonly ipName?: string;
    readonly internalIp?: string;
    readonly v4Ip?: string;
    readonly v6Ip?: string;
    readonly v4IpCidr?: string;
    readonly v6IpCidr?: string;
    readonly externalPort?: string;
  },
  {
    readonly ready?: boolean;
    readonly vpc?: string;
    readonly v4Eip?: string;
    readonly v6Eip?: string;
    readonly v4Ip?: string;
    readonly v6Ip?: string;
    readonly v4IpCidr?: string;
    readonly v6IpCidr?: string;
    readonly internalIp?: string;
    readonly natGwDp?: string;
    readonly externalPort?: string;
    readonly protocol?: string;
  }
>;

export type Service = TypedObject<
  {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly loadBalancerIP?: string;
    readonly sessionAffinity?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly protocol?: string;
      readonly port: number;
      readonly nodePort?: number;
    }[];
  },
  { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } }
>;

/** `endpoints` has one entry where any takes connections. */
export interface EndpointSlice extends TypedObject {
  readonly addressType?: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  readonly endpoints?: readonly object[];
}

export type RouterLBRule = TypedObject<
  {
    readonly ovnEip?: string;
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
  },
  { readonly service?: string; readonly ports?: string }
>;

export type SwitchLBRule = TypedObject<
  {
    readonly vip?: string;
    readonly namespace?: string;
    readonly endpoints?: readonly string[];
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
    readonly sessionAffinity?: string;
  },
  { readonly service?: string; readonly ports?: string }
>;

export type VpcNatGateway = TypedObject<
  {
    readonly namespace?: string;
    readonly vpc?: string;
    readonly subnet?: string;
    readonly externalSubnets?: readonly string[];
    readonly replicas?: number;
    readonly qosPolicy?: string;
  },
  { readonly qosPolicy?: string }
>;

export type VpcEgressGateway = TypedObject<
  {
    readonly vpc?: string;
    readonly prefix?: string;
    readonly selectors?: readonly unknown[];
    readonly policies?: readonly unknown[];
  },
  {
    readonly ready?: boolean;
    readonly workload?: { readonly kind?: string; readonly name?: string };
  }
>;

export type IPPool = TypedObject<
  { readonly subnet?: string; readonly enableAddressSet?: boolean },
  { readonly v4UsingIPs?: number | string; readonly v6UsingIPs?: number | string }
>;

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** `port` is a number or a name. */
export interface NetworkPolicyRule {
  readonly ports?: readonly { readonly port?: unknown }[];
}

export type NetworkPolicy = TypedObject<{
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly NetworkPolicyRule[];
  readonly egress?: readonly NetworkPolicyRule[];
}>;

/** One rule of an AdminNetworkPolicy or its like: `ports` has one entry for each it names. */
export interface AdminPolicyRule {
  readonly name?: string;
  readonly ports?: readonly { readonly portNumber?: unknown; readonly portRange?: unknown }[];
}

export type AdminNetworkPolicy = TypedObject<{
  readonly priority?: number;
  /** Of a ClusterNetworkPolicy: `Admin` or `Baseline`. */
  readonly tier?: string;
  readonly subject?: {
    readonly namespaces?: LabelSelector;
    readonly pods?: {
      readonly namespaceSelector?: LabelSelector;
      readonly podSelector?: LabelSelector;
    };
  };
  readonly ingress?: readonly AdminPolicyRule[];
  readonly egress?: readonly AdminPolicyRule[];
}>;
