import type { TypedObject } from './typed-object';

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
    readonly u2oInterconnectionVPC?: string;
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
  {
    readonly portGroup?: string;
    readonly ingressLastSyncSuccess?: boolean;
    readonly egressLastSyncSuccess?: boolean;
  }
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
    readonly enableExternal?: boolean;
    readonly extraExternalSubnets?: readonly string[];
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
    /** Of the Iptables rules, whose key is spelt otherwise. */
    readonly v4ip?: string;
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
    readonly internalSubnets?: readonly string[];
    readonly internalCIDRs?: readonly string[];
    readonly bfd?: { readonly enabled?: boolean };
  },
  {
    readonly qosPolicy?: string;
    readonly ready?: boolean;
    readonly workload?: { readonly kind?: string };
  }
>;

export type VpcEgressGateway = TypedObject<
  {
    readonly vpc?: string;
    readonly prefix?: string;
    readonly replicas?: number;
    readonly selectors?: readonly unknown[];
    readonly policies?: readonly {
      readonly ipBlocks?: readonly string[];
      readonly subnets?: readonly string[];
    }[];
    readonly bfd?: { readonly enabled?: boolean };
  },
  {
    readonly ready?: boolean;
    readonly internalIPs?: readonly string[];
    readonly workload?: { readonly kind?: string; readonly name?: string };
  }
>;

export type IPPool = TypedObject<
  {
    readonly subnet?: string;
    readonly namespaces?: readonly string[];
    readonly enableAddressSet?: boolean;
  },
  {
    readonly v4UsingIPs?: number | string;
    readonly v4UsingIPRange?: string;
    readonly v4AvailableIPs?: number | string;
    readonly v4AvailableIPRange?: string;
    readonly v6UsingIPs?: number | string;
    readonly v6UsingIPRange?: string;
    readonly v6AvailableIPs?: number | string;
    readonly v6AvailableIPRange?: string;
  }
>;
