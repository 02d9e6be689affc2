import { recording } from '@ovn-steward/testbed/recordings';
import { type Controller, startController } from './actor/controller';
import type { Objects, Thing } from './actor/objects';
import { replicaSet } from './actor/workloads';
import type { Incident } from './incident';

const NAMESPACE = 'store';
const subnet = (name: string, third: number, more: Readonly<Record<string, unknown>>): Thing =>
  ({ kind: 'Subnet', metadata: { name }, spec: { protocol: 'IPv4', cidrBlock: `10.91.${third}.0/24`, gateway: `10.91.${third}.1`, excludeIps: [`10.91.${third}.1`], ...more } });
const OWN = subnet('store-net', 0, { vpc: 'ovn-cluster', provider: 'ovn', namespaces: [NAMESPACE] });
const LAN = subnet('store-lan', 1, { provider: 'store-lan.store' });
const NAD: Thing = {
  kind: 'NetworkAttachmentDefinition', metadata: { name: 'store-lan', namespace: NAMESPACE },
  spec: { config: JSON.stringify({ cniVersion: '0.3.0', type: 'macvlan', master: 'eth1', mode: 'bridge', ipam: { type: 'kube-ovn', server_socket: '/run/openvswitch/kube-ovn-daemon.sock', provider: 'store-lan.store' } }) },
};
const WEB = replicaSet(NAMESPACE, 'web', { 'k8s.v1.cni.cncf.io/networks': 'store/store-lan' });

/** A Helm release whose pods come before their subnet, and whose networks go before its pods. */
export const releaseInBadOrder: Incident = {
  name: 'release-in-bad-order',
  happens: 'A Helm release brings its pods before their subnet, and when it is taken away its networks go before its pods',
  source: 'kube-ovn.md §7.4, §8.3, rows 34, 39, 40 and 76; #5064, #4243, #4898',
  answer: 'freed',
  command: 'steward plan --look --out plan.yaml; steward apply plan.yaml',
  unprotected: [
    'installed: the pod has an address of ovn-default',
    'uninstalled: Subnet store-lan is terminating and counts 1 in use',
  ],
  guarded: [
    'installed: the pod has an address of store-net',
    'uninstalled: Subnet store-lan is gone',
  ],
  database: recording('clean', 'nb.db'),
  cluster: recording('clean', 'kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const controller = startController(northbound, objects, { vpcFinalizer: true });
    const protect = async (): Promise<void> => {
      if (guarded) await controller.during(run(releaseInBadOrder.command.replaceAll('plan.yaml', `plan-${Date.now()}.yaml`)));
    };
    await install(objects, controller);
    await protect();
    const installed = await placed(objects);
    await uninstall(objects, controller);
    await protect();
    const left = await objects.get('Subnet', 'store-lan');
    return [
      `installed: the pod has an address of ${installed}`,
      `uninstalled: Subnet store-lan is ${left ? `${left.metadata.deletionTimestamp === undefined ? 'there' : 'terminating'} and counts ${String(left.status?.['v4usingIPs'])} in use` : 'gone'}`,
    ];
  },
};

async function install(objects: Objects, controller: Controller): Promise<void> {
  await objects.create({ kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const it of [NAD, LAN]) await objects.create(it);
  await controller.settle();
  await objects.create(WEB);
  await controller.settle();
  await objects.create(OWN);
  await controller.settle();
}

async function uninstall(objects: Objects, controller: Controller): Promise<void> {
  for (const it of [NAD, LAN, OWN, WEB, ...(await objects.list('Pod')).filter(({ metadata }) => metadata.namespace === NAMESPACE)]) await objects.remove(it, it.kind === 'Pod');
  await controller.settle();
}

async function placed(objects: Objects): Promise<string> {
  const [pod] = (await objects.list('Pod')).filter(({ metadata }) => metadata.namespace === NAMESPACE);
  return pod?.metadata.annotations?.['ovn.kubernetes.io/logical_switch'] ?? 'no subnet';
}
