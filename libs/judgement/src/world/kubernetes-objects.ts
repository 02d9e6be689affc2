import type { TypedObject } from './typed-object';

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
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: { readonly startedAt?: string };
  };
  readonly lastState?: {
    readonly terminated?: {
      readonly exitCode?: number;
      readonly reason?: string;
      readonly startedAt?: string;
      readonly finishedAt?: string;
    };
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

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** `port` is a number or a name. */
export interface NetworkPolicyPort {
  readonly port?: unknown;
  readonly protocol?: string | undefined;
  readonly endPort?: number;
}

/** Of a peer only its block is kept. */
export interface NetworkPolicyPeer {
  readonly ipBlock?: { readonly cidr?: string };
}

export interface NetworkPolicyRule {
  readonly ports?: readonly NetworkPolicyPort[];
  /** The peers of an ingress rule, and those of an egress rule. */
  readonly from?: readonly NetworkPolicyPeer[];
  readonly to?: readonly NetworkPolicyPeer[];
}

export type NetworkPolicy = TypedObject<{
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly NetworkPolicyRule[];
  readonly egress?: readonly NetworkPolicyRule[];
}>;

/** Exactly one of its fields is set; others than these are not kept. */
export interface AdminPolicyPort {
  readonly portNumber?: unknown;
  readonly portRange?: unknown;
}

/** One rule of an AdminNetworkPolicy or its like: `ports` has one entry for each it names. */
export interface AdminPolicyRule {
  readonly name?: string;
  readonly ports?: readonly AdminPolicyPort[];
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
