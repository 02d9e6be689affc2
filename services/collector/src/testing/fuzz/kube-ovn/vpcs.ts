import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { alive, type Cluster, rowNamed, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { macOf } from './ipam';
import { make, take } from './networks';
import { isAtLeast } from './releases';

/** The load balancers of a custom VPC; two of the six stand for all. */
export const balancersOf = (vpc: string): readonly string[] =>
  ['tcp', 'udp'].map((it) => `vpc-${vpc}-${it}-load`);

export const vpcOf = (cluster: Cluster, name: string): KubernetesObject | undefined =>
  cluster.objects.get('Vpc', undefined, name);
const statusPut = (cluster: Cluster, vpc: KubernetesObject, status: object): void => {
  const all = { ...(vpc['status'] as object | undefined), ...status };
  if (JSON.stringify(all) !== JSON.stringify(vpc['status']))
    cluster.put({ ...vpc, status: all } as unknown as GivenObject);
};

/** Those that are not on their way out: a Vpc waits for no others (kube-ovn.md §7.3). */
const subnetsOf = ({ objects }: Cluster, vpc: string): string[] =>
  [...objects.all('Subnet')]
    .filter((it) => alive(it) && (it['spec'] as { vpc?: string }).vpc === vpc)
    .map((it) => it.metadata.name)
    .sort();

/** Which of them there are, as a Vpc's status says. */
export function* noteSubnets({ cluster }: Controller, name: string): Job {
  const vpc = vpcOf(cluster, name);
  if (!vpc) return;
  statusPut(cluster, vpc, { subnets: subnetsOf(cluster, name) });
  yield;
}

/** Finalizer, router, load balancers, status, then the port of BFD (handleAddOrUpdateVpc). */
function* handle(controller: Controller, name: string): Job {
  const { cluster } = controller;
  const vpc = vpcOf(cluster, name);
  if (!vpc) return;
  const { finalizer } = cluster.release;
  const hasFinalizer = isAtLeast(cluster.release, 1, 14);
  if (!alive(vpc)) {
    const { subnets = [] } = (vpc['status'] ?? {}) as { subnets?: string[] };
    if (subnets.length > 0) return;
    cluster.objects.remove('Vpc', undefined, name);
    cluster.diary.push(`Vpc ${name} gone`);
    yield;
    return;
  }
  if (hasFinalizer && (vpc.metadata.finalizers ?? []).length === 0) {
    const metadata = { ...vpc.metadata, finalizers: [finalizer] };
    cluster.put({ ...vpc, metadata } as unknown as GivenObject);
    yield;
  }
  const owner = { kind: 'Vpc', name };
  if (!rowNamed(cluster, 'Logical_Router', name)) {
    make(cluster, { table: 'Logical_Router', name, row: { name, external_ids: ours() }, owner });
    yield;
  }
  for (const it of balancersOf(name)) {
    if (rowNamed(cluster, 'Load_Balancer', it)) continue;
    const ids = cluster.release.tagsAll ? ours() : op.map([]);
    const protocol = it.includes('-udp-') ? 'udp' : 'tcp';
    make(cluster, {
      table: 'Load_Balancer',
      name: it,
      row: {
        name: it,
        protocol,
        options: op.map([['prefer_local_backend', 'false']]),
        external_ids: ids,
      },
      owner,
    });
    yield;
  }
  const current = vpcOf(cluster, name);
  if (!current || current.metadata.uid !== vpc.metadata.uid) return;
  const [tcpLoadBalancer, udpLoadBalancer] = balancersOf(name);
  const subnets = subnetsOf(cluster, name);
  const given = { router: name, standby: true, subnets, tcpLoadBalancer, udpLoadBalancer };
  statusPut(cluster, current, given);
  yield;
  if (isAtLeast(cluster.release, 1, 14)) yield* makeBfd(cluster, name);
}

/** The port of BFD and the chassis that may have it (reconcileVpcBfdLRP); every VPC here asks. */
function* makeBfd(cluster: Cluster, vpc: string): Job {
  const name = `bfd@${vpc}`;
  const [uuid] = rowNamed(cluster, 'Logical_Router', vpc) ?? [];
  if (uuid === undefined) return;
  const owner = { kind: 'Vpc', name: vpc };
  if (!rowNamed(cluster, 'HA_Chassis_Group', name)) {
    const row = { name, external_ids: ours({ lrp: name }) };
    make(cluster, { table: 'HA_Chassis_Group', name, row, owner });
    yield;
  }
  if (rowNamed(cluster, 'Logical_Router_Port', name)) return;
  const [group] = rowNamed(cluster, 'HA_Chassis_Group', name) ?? [];
  if (group === undefined || !cluster.rows('Logical_Router').has(uuid)) return;
  const row = {
    name,
    mac: macOf(cluster),
    networks: '10.255.255.255/32',
    ha_chassis_group: op.uuid(group),
    external_ids: ours({ lr: vpc }),
  };
  const holder = { table: 'Logical_Router', uuid, column: 'ports' };
  make(cluster, { table: 'Logical_Router_Port', name, row, owner, holder });
  yield;
}

/** Its router with all it holds; nothing else (handleDelVpc). Not while a Subnet of it is there. */
function* end({ cluster, memory }: Controller, vpc: KubernetesObject): Job {
  const { name } = vpc.metadata;
  const { subnets = [] } = (vpc['status'] ?? {}) as { subnets?: string[] };
  if (subnets.some((it) => cluster.objects.get('Subnet', undefined, it))) {
    memory.set(`vpc to end ${name}`, vpc);
    return;
  }
  memory.delete(`vpc to end ${name}`);
  // One that was made again meanwhile keeps it: which of the two is first is chance.
  if (!vpcOf(cluster, name) && take(cluster, 'Logical_Router', name)) yield;
}

/** A Subnet is gone: what waited for it is tried again. */
export function retryVpcs(controller: Controller): void {
  for (const [key, vpc] of controller.memory)
    if (key.startsWith('vpc to end '))
      controller.enqueueOnce(key, () => end(controller, vpc as KubernetesObject));
}

/** Custom VPCs. */
export const vpcs: Handler = (controller, event) => {
  if (event.is === 'all' || event.object.metadata.name === ROUTER) return;
  const { name } = event.object.metadata;
  controller.enqueueOnce(`vpc ${name}`, () =>
    event.is === 'gone' ? end(controller, event.object) : handle(controller, name),
  );
};

/**
 * Routers of no Vpc, and load balancers that no Vpc's status names and no rule is called as, once
 * after a start (gc.go, gcCustomLogicalRouter, gcLoadBalancer).
 */
export function* collectVpcs({ cluster }: Controller): Job {
  for (const label of [...cluster.labels.values()]) {
    if (label.kind === 'Logical_Router' && cluster.rows('Logical_Router').has(label.uid)) {
      if (!vpcOf(cluster, label.name) && take(cluster, 'Logical_Router', label.name)) yield;
    }
  }
  const kept = new Set(
    [...cluster.objects.all('Vpc')].flatMap((it) => Object.values(it['status'] ?? {})),
  );
  // v1.12 takes those of living rules, and never makes them again (§4.5).
  if (isAtLeast(cluster.release, 1, 13))
    for (const it of cluster.objects.all('OvnDnatRule')) kept.add(it.metadata.name);
  for (const label of [...cluster.labels.values()])
    if (label.kind === 'Load_Balancer' && cluster.rows('Load_Balancer').has(label.uid))
      if (!kept.has(label.name) && take(cluster, 'Load_Balancer', label.name)) yield;
}
