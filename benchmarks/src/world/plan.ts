import { identities, type Identities } from './identity';

export interface WorldSize {
  /** Logical switch ports, exactly. */
  readonly ports: number;
  /** The most pods on one switch; 60,000 at most, as many as a /16 has room for. */
  readonly portsPerSubnet?: number;
  /**
   * The most pods in one namespace, each of which has a policy, and so a port group, over all of
   * them.
   */
  readonly podsPerNamespace?: number;
  readonly seed?: number;
}

export interface SubnetPlan {
  readonly name: string;
  /** The first two bytes of its /16. */
  readonly prefix: string;
  readonly provider: string;
  readonly namespaces: readonly string[];
}

export interface WorkloadPlan {
  readonly number: number;
  readonly kind: 'ReplicaSet' | 'StatefulSet';
  readonly name: string;
  /** What it is called in labels: the Deployment's name, or its own. */
  readonly app: string;
  readonly namespace: string;
  replicas: number;
}

/** An interface of a pod or machine: an IP object, and a port where there is one. */
export interface NicPlan {
  readonly number: number;
  readonly name: string;
  readonly subnet: SubnetPlan;
  readonly address: string;
  readonly namespace: string;
  /** The pod or machine. */
  readonly served: string;
  readonly node: number;
  readonly up: boolean;
  readonly podType: '' | 'StatefulSet' | 'VirtualMachine';
  readonly has: { readonly port: boolean; readonly ip: boolean };
}

export interface PodPlan {
  readonly number: number;
  readonly name: string;
  readonly namespace: string;
  readonly node: number;
  /** The first is the default network's. */
  readonly nics: readonly NicPlan[];
  readonly workload?: WorkloadPlan;
  /** A machine's launcher. */
  readonly machine?: MachinePlan;
}

export interface MachinePlan {
  readonly number: number;
  readonly name: string;
  readonly running: boolean;
}

/** A finding the world was given on purpose. */
export interface Planted {
  readonly rule: string;
  readonly uid: string;
  /** Where only one entry of the subject is wrong. */
  readonly part?: string;
}

export interface Plan {
  readonly ids: Identities;
  readonly nodes: number;
  readonly subnets: readonly SubnetPlan[];
  readonly workloads: readonly WorkloadPlan[];
  readonly pods: readonly PodPlan[];
  readonly machines: readonly MachinePlan[];
  /** All of them, node ports and those of leaks included. */
  readonly nics: readonly NicPlan[];
  readonly planted: Planted[];
}

const MACHINES = 'machines';
export const JOIN = 'join';
export const VMS = 'vms';
const REPLICAS = 25;

export const nodeName = (number: number): string => `worker-${number + 1}`;
export const portUuid = (ids: Identities, nic: Pick<NicPlan, 'number'>): string =>
  ids.uuid('port', nic.number);

/** How many there are of each, so that the ports come out exactly. */
function countsOf({ ports, portsPerSubnet = 10_000 }: WorldSize) {
  const pods = Math.round(ports * 0.75);
  const launchers = Math.round(ports * 0.05);
  const stopped = Math.round(ports * 0.05);
  const leaks = Math.max(5, Math.round(ports * 0.01));
  const leakedPorts = Array.from({ length: leaks }, (_, nth) => nth).filter(
    (nth) => leakOf(nth).port,
  ).length;
  const missing = Math.max(1, Math.round(ports / 10_000));
  const nodes = Math.max(3, Math.ceil(ports / 500));
  const podSubnets = Math.ceil((pods - launchers) / portsPerSubnet);
  const rest = ports - (pods - missing) - stopped - nodes - leakedPorts - podSubnets - 2;
  const attachmentSubnets = Math.max(1, Math.ceil(rest / (portsPerSubnet + 1)));
  return {
    pods,
    launchers,
    stopped,
    leaks,
    missing,
    nodes,
    podSubnets,
    attachmentSubnets,
    attachments: rest - attachmentSubnets,
  };
}

/**
 * Of five leaks two lost their pod, one its IP object as well, one is beyond its set's replicas,
 * and one has no port.
 */
const leakOf = (nth: number): { set: boolean; port: boolean; ip: boolean } => ({
  set: nth % 5 === 3,
  port: nth % 5 !== 4,
  ip: nth % 5 !== 2,
});

/** Hands out numbers and addresses while the plan grows. */
class Draft {
  readonly nics: NicPlan[] = [];
  readonly planted: Planted[] = [];
  private readonly given = new Map<string, number>();

  nic(of: Omit<NicPlan, 'number' | 'address'>): NicPlan {
    const offset = (this.given.get(of.subnet.name) ?? 1) + 1;
    this.given.set(of.subnet.name, offset);
    const nic = {
      ...of,
      number: this.nics.length,
      address: `${of.subnet.prefix}.${offset >> 8}.${offset & 255}`,
    };
    this.nics.push(nic);
    return nic;
  }
}

function subnetsOf(
  counts: ReturnType<typeof countsOf>,
  { portsPerSubnet = 10_000, podsPerNamespace = 2000 }: WorldSize,
) {
  const teams = Math.ceil(portsPerSubnet / podsPerNamespace);
  const ordinary = Array.from({ length: counts.podSubnets }, (_, nth): SubnetPlan => ({
    name: `apps-${nth + 1}`,
    prefix: `10.${16 + nth}`,
    provider: 'ovn',
    namespaces: Array.from({ length: teams }, (_, team) => `team-${nth * teams + team + 1}`),
  }));
  const attached = Array.from({ length: counts.attachmentSubnets }, (_, nth): SubnetPlan => ({
    name: `storage-${nth + 1}`,
    prefix: `172.${16 + nth}`,
    provider: `storage-${nth + 1}.infra.ovn`,
    namespaces: [],
  }));
  const machines: SubnetPlan = {
    name: MACHINES,
    prefix: '10.112',
    provider: 'ovn',
    namespaces: [VMS],
  };
  const join: SubnetPlan = { name: JOIN, prefix: '100.64', provider: 'ovn', namespaces: [] };
  return { ordinary, attached, machines, join };
}

/**
 * Plans a Kube-OVN cluster with so many ports: three quarters of them pods' (a few of these
 * machines' launchers), the rest stopped machines', second interfaces, nodes' and router ports, and
 * one in a hundred leaked.
 */
export function planWorld(size: WorldSize): Plan {
  const { portsPerSubnet = 10_000, podsPerNamespace = 2000, seed = 1 } = size;
  const ids = identities(seed);
  const counts = countsOf(size);
  const subnets = subnetsOf(counts, size);
  const draft = new Draft();
  const workloads: WorkloadPlan[] = [];
  const pods: PodPlan[] = [];
  const both = { port: true, ip: true };

  const workloadOf = (namespace: string): WorkloadPlan => {
    const last = workloads.at(-1);
    if (last && last.namespace === namespace && last.replicas < REPLICAS) return last;
    const number = workloads.length;
    const kind = number % 8 === 0 ? 'StatefulSet' : 'ReplicaSet';
    const app = `${kind === 'StatefulSet' ? 'db' : 'app'}-${number}`;
    workloads.push({
      number,
      kind,
      app,
      namespace,
      name: kind === 'StatefulSet' ? app : `${app}-${ids.suffix('workload', number, 10)}`,
      replicas: 0,
    });
    return workloads.at(-1)!;
  };

  const ordinary = counts.pods - counts.launchers;
  for (let number = 0; number < ordinary; number++) {
    const subnet = subnets.ordinary[Math.floor(number / portsPerSubnet)]!;
    const namespace = subnet.namespaces[Math.floor((number % portsPerSubnet) / podsPerNamespace)]!;
    const workload = workloadOf(namespace);
    const name =
      workload.kind === 'StatefulSet'
        ? `${workload.name}-${workload.replicas}`
        : `${workload.name}-${ids.suffix('pod', number, 5)}`;
    workload.replicas++;
    const node = number % counts.nodes;
    const podType = workload.kind === 'StatefulSet' ? 'StatefulSet' : '';
    const port = number >= counts.missing;
    if (!port)
      draft.planted.push({
        rule: 'missing-logical-switch-port',
        uid: ids.uuid('pod', number),
        part: 'ovn.kubernetes.io/allocated',
      });
    const nics = [
      draft.nic({
        name: `${name}.${namespace}`,
        subnet,
        namespace,
        served: name,
        node,
        up: true,
        podType,
        has: { port, ip: true },
      }),
    ];
    // The second interfaces are spread over the first pods of all.
    if (number < counts.attachments) {
      const attached =
        subnets.attached[Math.floor((number * subnets.attached.length) / counts.attachments)]!;
      nics.push(
        draft.nic({
          name: `${name}.${namespace}.${attached.provider}`,
          subnet: attached,
          namespace,
          served: name,
          node,
          up: true,
          podType,
          has: both,
        }),
      );
    }
    pods.push({ number, name, namespace, node, nics, workload });
  }

  const machines = Array.from(
    { length: counts.launchers + counts.stopped },
    (_, number): MachinePlan => ({
      number,
      name: `vm-${number + 1}`,
      running: number < counts.launchers,
    }),
  );
  for (const machine of machines) {
    const node = machine.number % counts.nodes;
    const nic = draft.nic({
      name: `${machine.name}.${VMS}`,
      subnet: subnets.machines,
      namespace: VMS,
      served: machine.name,
      node,
      up: machine.running,
      podType: 'VirtualMachine',
      has: both,
    });
    const number = ordinary + machine.number;
    if (machine.running)
      pods.push({
        number,
        name: `virt-launcher-${machine.name}-${ids.suffix('pod', number, 5)}`,
        namespace: VMS,
        node,
        nics: [nic],
        machine,
      });
  }
  for (let node = 0; node < counts.nodes; node++) {
    draft.nic({
      name: `node-${nodeName(node)}`,
      subnet: subnets.join,
      namespace: '',
      served: nodeName(node),
      node,
      up: true,
      podType: '',
      has: both,
    });
  }
  plantLeaks(draft, ids, counts.leaks, subnets.ordinary, workloads, counts.nodes);
  const all = [...subnets.ordinary, ...subnets.attached, subnets.machines, subnets.join];
  return {
    ids,
    nodes: counts.nodes,
    subnets: all,
    workloads,
    pods,
    machines,
    nics: draft.nics,
    planted: draft.planted,
  };
}

function plantLeaks(
  draft: Draft,
  ids: Identities,
  leaks: number,
  subnets: readonly SubnetPlan[],
  workloads: readonly WorkloadPlan[],
  nodes: number,
): void {
  const sets = workloads.filter((it) => it.kind === 'StatefulSet');
  const beyond = new Map<string, number>();
  for (let nth = 0; nth < leaks; nth++) {
    const { set, port, ip } = leakOf(nth);
    const owner = set ? sets[nth % sets.length]! : undefined;
    const subnet = owner
      ? subnets.find((it) => it.namespaces.includes(owner.namespace))!
      : subnets[nth % subnets.length]!;
    const namespace = owner?.namespace ?? subnet.namespaces[0]!;
    const ordinal = owner ? owner.replicas + (beyond.get(owner.name) ?? 0) : 0;
    if (owner) beyond.set(owner.name, (beyond.get(owner.name) ?? 0) + 1);
    const served = owner
      ? `${owner.name}-${ordinal}`
      : `gone-${nth}-${ids.suffix('workload', nth, 10)}-${ids.suffix('owner', nth, 5)}`;
    const nic = draft.nic({
      name: `${served}.${namespace}`,
      subnet,
      namespace,
      served,
      node: nth % nodes,
      up: false,
      podType: owner ? 'StatefulSet' : '',
      has: { port, ip },
    });
    // With its address record it is a part of that finding.
    if (port && !ip)
      draft.planted.push({ rule: 'orphaned-logical-switch-port', uid: portUuid(ids, nic) });
    if (ip) draft.planted.push({ rule: 'leaked-ip', uid: ids.uuid('ip', nic.number) });
  }
}
