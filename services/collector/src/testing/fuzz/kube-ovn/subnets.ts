import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { alive, type Cluster, rowNamed } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { countIn } from './ips';
import * as networks from './networks';
import { clean, policiesTo } from './clean-subnet';
import { balancersOf, noteSubnets, vpcOf } from './vpc-status';

type Network = networks.Network;

const subnetOf = ({ objects }: Cluster, name: string): KubernetesObject | undefined =>
  objects.get('Subnet', undefined, name);

/** Finalizer, switch with both ends of its way to the router, DHCP, policy, status. */
function* handle(controller: Controller, network: Network): Job {
  const { cluster } = controller;
  const { name, vpc } = network;
  const subnet = subnetOf(cluster, name);
  if (!subnet) return;
  if (!alive(subnet)) return yield* finish(cluster, subnet);
  const { finalizer } = cluster.release;
  if ((subnet.metadata.finalizers ?? []).length === 0) {
    const metadata = { ...subnet.metadata, finalizers: [finalizer] };
    cluster.put({ ...subnet, metadata } as unknown as GivenObject);
    yield;
  }
  if ((vpcOf(cluster, vpc)?.['status'] as { standby?: boolean } | undefined)?.standby !== true) {
    controller.memory.set(`waits for ${vpc}`, true);
    return;
  }
  yield* noteSubnets(controller, vpc);
  if (!(yield* ensureSwitch(cluster, network))) return;
  if (networks.dhcpOf(cluster, name).length === 0) {
    networks.makeDhcp(cluster, network);
    yield;
  }
  if (policiesTo(cluster, name).length === 0 && makePolicy(cluster, network)) yield;
  const current = subnetOf(cluster, name);
  if (!current || current.metadata.uid !== subnet.metadata.uid) return;
  const conditions = ['Validated', 'Ready'].map((type) => ({ type, status: 'True', reason: type }));
  const v4usingIPs = countIn(cluster, name);
  const status = { ...(current['status'] as object), v4usingIPs, v4availableIPs: 253 - v4usingIPs };
  if (!('conditions' in status))
    cluster.put({ ...current, status: { ...status, conditions } } as unknown as GivenObject);
  yield;
}

/** Whether it has both ends; the router's is made with the switch alone (kube-ovn.md row 45). */
function* ensureSwitch(cluster: Cluster, network: Network): Generator<undefined, boolean, void> {
  const { name, vpc } = network;
  const isNew = !rowNamed(cluster, 'Logical_Switch', name);
  if (isNew) {
    if (!rowNamed(cluster, 'Logical_Router', vpc)) return false;
    const balancers = balancersOf(vpc).flatMap(
      (it) => rowNamed(cluster, 'Load_Balancer', it)?.[0] ?? [],
    );
    const row = {
      name,
      load_balancer: op.set(balancers.map((it) => op.uuid(it))),
      external_ids: ours(),
    };
    networks.make(cluster, {
      table: 'Logical_Switch',
      name,
      row,
      owner: { kind: 'Subnet', name },
    });
    networks.makeSwitchPort(cluster, network);
    if (!rowNamed(cluster, 'Logical_Router_Port', `${vpc}-${name}`))
      networks.makeRouterPort(cluster, network);
    yield;
  } else if (!rowNamed(cluster, 'Logical_Switch_Port', `${name}-${vpc}`)) {
    networks.makeSwitchPort(cluster, network);
    yield;
  }
  return rowNamed(cluster, 'Logical_Router_Port', `${vpc}-${name}`) !== undefined;
}

function makePolicy(cluster: Cluster, { name, vpc, block }: Network): boolean {
  const [uuid] = rowNamed(cluster, 'Logical_Router', vpc) ?? [];
  if (uuid === undefined) return false;
  const match = `ip4.dst == ${block}.0/24`;
  networks.make(cluster, {
    table: 'Logical_Router_Policy',
    name: match,
    row: { priority: 31_000, match, action: 'allow', external_ids: ours({ subnet: name }) },
    owner: { kind: 'Subnet', name },
    holder: { table: 'Logical_Router', uuid, column: 'policies' },
  });
  return true;
}

/** Its finalizer, once nothing is counted in it. */
function* finish(cluster: Cluster, subnet: KubernetesObject): Job {
  const { v4usingIPs = 0 } = (subnet['status'] ?? {}) as { v4usingIPs?: number };
  if (v4usingIPs > 0) return;
  cluster.objects.remove('Subnet', undefined, subnet.metadata.name);
  cluster.diary.push(`Subnet ${subnet.metadata.name} gone`);
  yield;
}

/** Subnets that come and go: a change of the spec, or that nothing holds one any more. */
export const subnets: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { name, uid } = event.object.metadata;
  const network = networks.NETWORKS.find((it) => it.name === name);
  if (!network) return;
  const key = `subnet ${name}`;
  if (event.is === 'gone') return controller.enqueue(key, clean(controller, network));
  const spec = JSON.stringify(event.object['spec']);
  const isSame = controller.memory.get(`spec of ${uid}`) === spec;
  controller.memory.set(`spec of ${uid}`, spec);
  if (isSame && alive(event.object)) return;
  controller.enqueueOnce(`vpc status ${network.vpc}`, () => noteSubnets(controller, network.vpc));
  controller.enqueueOnce(key, () => handle(controller, network));
};

/** A Vpc that Subnets waited for may be ready. */
export const subnetsOfVpcs: Handler = (controller, event) => {
  if (event.is !== 'now' || !controller.memory.delete(`waits for ${event.object.metadata.name}`))
    return;
  for (const network of networks.NETWORKS)
    if (network.vpc === event.object.metadata.name)
      controller.enqueueOnce(`subnet ${network.name}`, () => handle(controller, network));
};
