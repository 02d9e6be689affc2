import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatRange, parseRange } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import {
  apiVersionOf,
  crdNameOf,
  KUBERNETES_KINDS,
  kubernetesKind,
} from '@ovn-steward/shared/kinds';
import type { Space } from './identity';
import { nodeAddress } from './northbound';
import {
  JOIN,
  type NicPlan,
  nodeName,
  type Plan,
  type PodPlan,
  type SubnetPlan,
  VMS,
  type WorkloadPlan,
} from './plan';

type Json = Record<string, unknown>;
/** An object without what every object has. */
type Contents = Json & { readonly metadata: Json & { readonly name: string } };
type Kinds = readonly (readonly [kind: string, objects: () => Iterable<Contents>])[];

const BORN = '2026-11-21T07:37:37Z';
const STARTED = '2026-11-21T07:37:39Z';
const ROUTER = 'ovn-cluster';
const FINALIZERS = ['kubeovn.io/kube-ovn-controller'];

const controllerOf = (apiVersion: string, kind: string, name: string, uid: string): Json => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** What Kube-OVN writes on a pod about one interface. */
function nicAnnotations(plan: Plan, nic: NicPlan, machine: string | undefined): Json {
  const { provider, prefix, name } = nic.subnet;
  const key = (what: string): string => `${provider}.kubernetes.io/${what}`;
  return {
    [key('allocated')]: 'true',
    [key('cidr')]: `${prefix}.0.0/16`,
    [key('gateway')]: `${prefix}.0.1`,
    [key('ip_address')]: nic.address,
    [key('logical_router')]: ROUTER,
    [key('logical_switch')]: name,
    [key('mac_address')]: plan.ids.mac(nic.number),
    [key('pod_nic_type')]: 'veth-pair',
    [key('routed')]: 'true',
    ...(machine === undefined ? {} : { [key('virtualmachine')]: machine }),
  };
}

function podMetadata(plan: Plan, pod: PodPlan): Contents['metadata'] {
  const { ids } = plan;
  const { name, namespace, workload, machine, nics } = pod;
  const attached = nics.slice(1).map((it) => it.subnet.provider.split('.')[0]!);
  const owner = workload
    ? controllerOf('apps/v1', workload.kind, workload.name, ids.uuid('workload', workload.number))
    : controllerOf(
        'kubevirt.io/v1',
        'VirtualMachineInstance',
        machine!.name,
        ids.uuid('instance', machine!.number),
      );
  return {
    name,
    namespace,
    uid: ids.uuid('pod', pod.number),
    generation: 1,
    labels: workload
      ? {
          app: workload.app,
          'app.kubernetes.io/part-of': 'shop',
          ...(workload.kind === 'ReplicaSet' && {
            'pod-template-hash': workload.name.split('-').at(-1),
          }),
        }
      : { 'kubevirt.io': 'virt-launcher', 'vm.kubevirt.io/name': machine!.name },
    annotations: {
      ...(Object.assign({}, ...nics.map((it) => nicAnnotations(plan, it, machine?.name))) as Json),
      ...(attached.length > 0 && {
        'k8s.v1.cni.cncf.io/networks': attached.map((it) => `infra/${it}`).join(','),
      }),
    },
    ownerReferences: [owner],
  };
}

function podSpec({ node, machine, workload }: PodPlan): Json {
  return {
    containers: [
      {
        name: 'main',
        image: `registry.example/${workload?.app ?? 'virt-launcher'}:1.0`,
        ports: [{ name: 'main', containerPort: 8080, protocol: 'TCP' }],
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: machine ? 'Never' : 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    nodeName: nodeName(node),
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((condition) => ({
      key: `node.kubernetes.io/${condition}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}

function podStatus({ ids }: Plan, { number, nics, node, workload }: PodPlan): Json {
  const address = nics[0]!.address;
  return {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: STARTED,
    })),
    hostIP: `192.168.${node >> 8}.${node & 255}`,
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: STARTED,
    qosClass: 'Burstable',
    containerStatuses: [
      {
        name: 'main',
        state: { running: { startedAt: STARTED } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: `registry.example/${workload?.app ?? 'virt-launcher'}:1.0`,
        imageID: '',
        containerID: `containerd://${(ids.uuid('container', number) + ids.uuid('container', -number - 1)).replaceAll('-', '')}`,
        started: true,
      },
    ],
  };
}

function* pods(plan: Plan): Iterable<Contents> {
  for (const pod of plan.pods)
    yield { metadata: podMetadata(plan, pod), spec: podSpec(pod), status: podStatus(plan, pod) };
}

function* addresses({ ids, nics }: Plan): Iterable<Contents> {
  for (const nic of nics) {
    if (!nic.has.ip) continue;
    const { name, subnet, address, namespace, served, node, podType, number } = nic;
    yield {
      metadata: {
        name,
        uid: ids.uuid('ip', number),
        generation: 1,
        finalizers: FINALIZERS,
        labels: {
          [subnet.name]: '',
          'ovn.kubernetes.io/ip_reserved': 'false',
          'ovn.kubernetes.io/node-name': nodeName(node),
          'ovn.kubernetes.io/subnet': subnet.name,
        },
        ...(namespace === '' && {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Node', name: served, uid: ids.uuid('node', node) },
          ],
        }),
      },
      spec: {
        attachIps: [],
        attachMacs: [],
        attachSubnets: [],
        containerID: '',
        ipAddress: address,
        macAddress: ids.mac(number),
        namespace,
        nodeName: nodeName(node),
        podName: served,
        podType,
        subnet: subnet.name,
        v4IpAddress: address,
        v6IpAddress: '',
      },
    };
  }
}

/** A number of records that Kube-OVN counts wrongly in the first subnet. */
const DRIFT = 3;

function* subnets(plan: Plan): Iterable<Contents> {
  const held = new Map<string, string[]>();
  for (const { has, subnet, address } of plan.nics)
    if (has.ip)
      (held.get(subnet.name) ?? held.set(subnet.name, []).get(subnet.name)!).push(address);
  for (const [number, it] of plan.subnets.entries())
    yield subnetOf(plan, it, number, held.get(it.name) ?? []);
}

/** As Kube-OVN shows its memory: ranges, ascending. */
const rangesText = (addresses: readonly string[]): string =>
  IpRangeSet.of(addresses.map(parseRange)).ranges().map(formatRange).join(',');

function subnetOf(
  { ids }: Plan,
  { name, prefix, provider, namespaces }: SubnetPlan,
  number: number,
  held: readonly string[],
): Contents {
  const used = held.length + (number === 0 ? DRIFT : 0);
  return {
    metadata: { name, uid: ids.uuid('subnet', number), generation: 2, finalizers: FINALIZERS },
    spec: {
      cidrBlock: `${prefix}.0.0/16`,
      default: number === 0,
      enableLb: true,
      excludeIps: [`${prefix}.0.1`],
      gateway: `${prefix}.0.1`,
      gatewayNode: '',
      gatewayType: 'distributed',
      namespaces,
      natOutgoing: true,
      private: false,
      protocol: 'IPv4',
      provider,
      u2oFeatures: {},
      vpc: ROUTER,
    },
    status: {
      activateGateway: '',
      conditions: ['Validated', 'Ready'].map((type) => ({
        lastTransitionTime: BORN,
        lastUpdateTime: STARTED,
        reason: 'ResetLogicalSwitchAclSuccess',
        status: 'True',
        type,
      })),
      dhcpV4OptionsUUID: '',
      u2oInterconnectionIP: '',
      v4availableIPs: 65533 - used,
      v4usingIPs: used,
      v4usingIPrange: rangesText(held),
      v6availableIPs: 0,
      v6usingIPs: 0,
      v6usingIPrange: '',
    },
  };
}

const namespacesOf = (plan: Plan): { name: string; subnet?: SubnetPlan }[] => [
  ...['default', 'kube-system', 'infra'].map((name) => ({ name })),
  ...plan.subnets.flatMap((subnet) => subnet.namespaces.map((name) => ({ name, subnet }))),
];

/** Templates say nothing about networks: nobody chose an address. */
const template = (app: string): Json => ({
  metadata: { labels: { app } },
  spec: {
    containers: [{ name: 'main', image: `registry.example/${app}:1.0`, resources: {} }],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
  },
});

function* workloads({ ids, workloads: all }: Plan, kind: WorkloadPlan['kind']): Iterable<Contents> {
  for (const { number, kind: own, name, app, namespace, replicas } of all) {
    if (own !== kind) continue;
    const owner =
      kind === 'ReplicaSet'
        ? {
            ownerReferences: [
              controllerOf('apps/v1', 'Deployment', app, ids.uuid('owner', number)),
            ],
          }
        : {};
    yield {
      metadata: {
        name,
        namespace,
        uid: ids.uuid('workload', number),
        generation: 1,
        labels: { app },
        ...owner,
      },
      spec: { replicas, selector: { matchLabels: { app } }, template: template(app) },
      status: {
        replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        observedGeneration: 1,
      },
    };
  }
}

function* deployments({ ids, workloads: all }: Plan): Iterable<Contents> {
  for (const { number, kind, app, namespace, replicas } of all) {
    if (kind === 'ReplicaSet')
      yield {
        metadata: {
          name: app,
          namespace,
          uid: ids.uuid('owner', number),
          generation: 1,
          labels: { app },
        },
        spec: { replicas, selector: { matchLabels: { app } }, template: template(app) },
        status: { replicas },
      };
  }
}

/** One for each workload; its entry in the load balancer is made from it. */
const serviceAddress = (number: number): string =>
  `10.${96 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
/** Of the range of services, above all that {@link serviceAddress} gives. */
const API_SERVER_ADDRESS = '10.111.255.1';
const API_SERVER_BACKEND = '192.168.0.10:6443';

/**
 * The API server's own, which it keeps as long as it lives: a list of Services without it is not
 * whole.
 */
const apiServerService = (ids: Plan['ids'], number: number): Contents => ({
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    uid: ids.uuid('service', number),
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    clusterIP: API_SERVER_ADDRESS,
    clusterIPs: [API_SERVER_ADDRESS],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  },
  status: { loadBalancer: {} },
});

function* services({ ids, workloads: all }: Plan): Iterable<Contents> {
  yield apiServerService(ids, all.length);
  for (const { number, app, namespace } of all) {
    const clusterIP = serviceAddress(number);
    yield {
      metadata: {
        name: app,
        namespace,
        uid: ids.uuid('service', number),
        annotations: { 'ovn.kubernetes.io/vpc': ROUTER },
      },
      spec: {
        ports: [{ name: 'main', protocol: 'TCP', port: 80, targetPort: 8080 }],
        selector: { app },
        clusterIP,
        clusterIPs: [clusterIP],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
      status: { loadBalancer: {} },
    };
  }
}

const STALE_VIPS = 2;

/**
 * The entries of the VPC's TCP load balancer: every service's, and some of services that are gone.
 */
export function vipsOf({
  workloads: all,
  pods: ofAll,
  planted,
  ids,
}: Plan): ReadonlyMap<string, string> {
  const backends = new Map<number, string[]>();
  for (const { workload, nics } of ofAll)
    if (workload)
      backends.set(workload.number, [
        ...(backends.get(workload.number) ?? []),
        `${nics[0]!.address}:8080`,
      ]);
  const vips = new Map(
    all.map(({ number }) => [`${serviceAddress(number)}:80`, backends.get(number)!.join(',')]),
  );
  vips.set(`${API_SERVER_ADDRESS}:443`, API_SERVER_BACKEND);
  for (let nth = 0; nth < STALE_VIPS; nth++) {
    const vip = `10.111.0.${nth + 1}:80`;
    vips.set(vip, '10.16.0.2:8080');
    planted.push({ rule: 'stale-load-balancer-vip', uid: ids.uuid('balancer', 0), part: vip });
  }
  return vips;
}

function* machines(
  { ids, machines: all }: Plan,
  kind: 'VirtualMachine' | 'VirtualMachineInstance',
): Iterable<Contents> {
  const domain = {
    domain: {
      devices: { interfaces: [{ bridge: {}, name: 'default' }] },
      resources: { requests: { memory: '1Gi' } },
    },
    networks: [{ name: 'default', pod: {} }],
  };
  for (const { number, name, running } of all) {
    const labels = { 'kubevirt.io/domain': name };
    if (kind === 'VirtualMachine') {
      const spec = {
        runStrategy: running ? 'Always' : 'Halted',
        template: { metadata: { annotations: {}, labels }, spec: domain },
      };
      yield {
        metadata: { name, namespace: VMS, uid: ids.uuid('machine', number), generation: 1, labels },
        spec,
        status: {
          created: running,
          printableStatus: running ? 'Running' : 'Stopped',
          ready: running,
        },
      };
    } else if (running) {
      const owner = controllerOf(
        'kubevirt.io/v1',
        'VirtualMachine',
        name,
        ids.uuid('machine', number),
      );
      yield {
        metadata: {
          name,
          namespace: VMS,
          uid: ids.uuid('instance', number),
          generation: 1,
          labels,
          ownerReferences: [owner],
        },
        spec: domain,
        status: { nodeName: nodeName(number), phase: 'Running' },
      };
    }
  }
}

function* nodes({ ids, nodes: count }: Plan): Iterable<Contents> {
  for (let node = 0; node < count; node++) {
    const name = nodeName(node);
    yield {
      metadata: {
        name,
        uid: ids.uuid('node', node),
        labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
        annotations: {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/ip_address': nodeAddress(node),
          'ovn.kubernetes.io/logical_switch': JOIN,
          'ovn.kubernetes.io/port_name': `node-${name}`,
        },
      },
      spec: {},
      status: {
        capacity: { cpu: '64', memory: '512Gi', pods: '600' },
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastHeartbeatTime: STARTED,
            lastTransitionTime: BORN,
            reason: 'KubeletReady',
          },
        ],
        addresses: [{ type: 'Hostname', address: name }],
      },
    };
  }
}

const vpc = ({ ids, subnets: all }: Plan): Contents => ({
  metadata: { name: ROUTER, uid: ids.uuid('vpc', 0), generation: 1, finalizers: FINALIZERS },
  spec: {},
  status: {
    default: true,
    defaultLogicalSwitch: all[0]!.name,
    router: ROUTER,
    standby: true,
    subnets: all.map((it) => it.name),
    ...Object.fromEntries(
      ['tcp', 'udp', 'sctp'].flatMap((protocol) => [
        [`${protocol}LoadBalancer`, `cluster-${protocol}-loadbalancer`],
        [`${protocol}SessionLoadBalancer`, `cluster-${protocol}-session-loadbalancer`],
      ]),
    ),
  },
});

function kindsOf(plan: Plan): Kinds {
  const { ids } = plan;
  const named = (
    space: Space,
    name: string,
    number: number,
    more: Json = {},
  ): Contents['metadata'] => ({ name, uid: ids.uuid(space, number), ...more });
  const definitions = KUBERNETES_KINDS.flatMap((it) => crdNameOf(it) ?? []);
  return [
    ['Node', () => nodes(plan)],
    [
      'Namespace',
      () =>
        namespacesOf(plan).map(({ name, subnet }, number) => ({
          metadata: named('namespace', name, number, {
            labels: { 'kubernetes.io/metadata.name': name },
            annotations: { 'ovn.kubernetes.io/logical_switch': (subnet ?? plan.subnets[0]!).name },
          }),
          spec: { finalizers: ['kubernetes'] },
          status: { phase: 'Active' },
        })),
    ],
    ['Pod', () => pods(plan)],
    ['Service', () => services(plan)],
    ['Deployment', () => deployments(plan)],
    ['ReplicaSet', () => workloads(plan, 'ReplicaSet')],
    ['StatefulSet', () => workloads(plan, 'StatefulSet')],
    [
      'NetworkPolicy',
      () =>
        namespacesOf(plan)
          .filter((it) => it.subnet)
          .map(({ name }, number) => ({
            metadata: named('network-policy', 'default-deny', number, { namespace: name }),
            spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
          })),
    ],
    [
      'CustomResourceDefinition',
      () =>
        definitions.map((name, number) => ({
          metadata: named('definition', name, number),
          spec: { group: name.slice(name.indexOf('.') + 1) },
          status: {},
        })),
    ],
    ['VirtualMachine', () => machines(plan, 'VirtualMachine')],
    ['VirtualMachineInstance', () => machines(plan, 'VirtualMachineInstance')],
    ['Vpc', () => [vpc(plan)]],
    ['Subnet', () => subnets(plan)],
    ['IP', () => addresses(plan)],
  ];
}

/**
 * Writes `kubernetes.json` as `kubectl get -o json` prints several kinds, and `listed.json`;
 * records what it planted.
 */
export async function writeKubernetes(folder: string, plan: Plan): Promise<void> {
  plan.planted.push({ rule: 'subnet-usage-drift', uid: plan.ids.uuid('subnet', 0) });
  const counts = new Map<string, number>();
  function* list(): Iterable<string> {
    let version = 0;
    let piece = '{\n    "apiVersion": "v1",\n    "items": [';
    for (const [kind, objects] of kindsOf(plan)) {
      const apiVersion = apiVersionOf(kubernetesKind(kind)!);
      for (const { metadata, ...rest } of objects()) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        const whole = {
          apiVersion,
          kind,
          metadata: {
            ...metadata,
            creationTimestamp: BORN,
            resourceVersion: String(1000 + version++),
          },
          ...rest,
        };
        piece += `${version === 1 ? '' : ','}\n        ${JSON.stringify(whole, null, 4).replaceAll('\n', '\n        ')}`;
        if (piece.length < 1 << 18) continue;
        yield piece;
        piece = '';
      }
    }
    yield `${piece}\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n`;
  }
  await pipeline(Readable.from(list()), createWriteStream(join(folder, 'kubernetes.json')));
  const listed = KUBERNETES_KINDS.map((kind) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    count: counts.get(kind.kind) ?? 0,
  }));
  await writeFile(
    join(folder, 'listed.json'),
    `${JSON.stringify({ complete: true, kinds: listed }, null, 1)}\n`,
  );
}
