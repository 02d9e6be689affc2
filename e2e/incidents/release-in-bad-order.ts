import { waitFor } from '@ovn-steward/testbed/run/wait';
import { recording } from '@ovn-steward/testbed/recordings';
import { startController } from './actor/controller';
import type { Objects, Thing } from './actor/objects';
import type { Controller } from './actor/turns';
import { replicaSet } from './actor/workloads';
import type { Beside } from '../support/shell';
import type { Incident } from './incident';
import type { Stage } from './stage';

const NAMESPACE = 'store';
const subnet = (name: string, third: number, more: Readonly<Record<string, unknown>>): Thing => ({
  kind: 'Subnet',
  metadata: { name },
  spec: {
    protocol: 'IPv4',
    cidrBlock: `10.91.${third}.0/24`,
    gateway: `10.91.${third}.1`,
    excludeIps: [`10.91.${third}.1`],
    ...more,
  },
});
const OWN = subnet('store-net', 0, {
  vpc: 'ovn-cluster',
  provider: 'ovn',
  namespaces: [NAMESPACE],
});
const LAN = subnet('store-lan', 1, { provider: 'store-lan.store' });
const NAD: Thing = {
  kind: 'NetworkAttachmentDefinition',
  metadata: { name: 'store-lan', namespace: NAMESPACE },
  spec: {
    config: JSON.stringify({
      cniVersion: '0.3.0',
      type: 'macvlan',
      master: 'eth1',
      mode: 'bridge',
      ipam: {
        type: 'kube-ovn',
        server_socket: '/run/openvswitch/kube-ovn-daemon.sock',
        provider: 'store-lan.store',
      },
    }),
  },
};
const WEB = replicaSet(NAMESPACE, 'web', { 'k8s.v1.cni.cncf.io/networks': 'store/store-lan' });

/** A Helm release whose pods come before their subnet, and whose networks go before its pods. */
export const releaseInBadOrder: Incident = {
  name: 'release-in-bad-order',
  happens:
    'A Helm release brings its pods before their subnet, and when it is taken away its networks go before its pods',
  source: 'kube-ovn.md §7.4, §8.3, rows 34, 39, 40 and 76; #5064, #4243, #4898',
  answer: 'prevented and freed',
  command: 'steward guard gates --install --yes; steward doctor subnet/store-lan --free',
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

  async play(stage, guarded) {
    const { northbound, objects } = stage;
    const controller = startController(northbound, objects, { vpcFinalizer: true });
    const [gates, doctor] = releaseInBadOrder.command.split('; ') as [string, string];
    await objects.create({
      kind: 'Namespace',
      metadata: { name: NAMESPACE, labels: { 'ovn-steward.dev/subnet': 'store-net' } },
    });
    const lifter = guarded ? await gated(stage, gates) : undefined;
    await installRelease(objects, controller);
    if (lifter)
      await controller.during(
        waitFor(async () => (await placed(objects)) !== 'no subnet', {
          what: 'the gate to be lifted',
          timeoutMs: 60_000,
        }),
      );
    await lifter?.stop();
    const place = await placed(objects);
    await uninstall(objects, controller);
    if (guarded) await controller.during(stage.run(doctor));
    const left = await objects.get('Subnet', 'store-lan');
    return [
      `installed: the pod has an address of ${place}`,
      `uninstalled: Subnet store-lan is ${left ? `${left.metadata.deletionTimestamp === undefined ? 'there' : 'terminating'} and counts ${String(left.status?.['v4usingIPs'])} in use` : 'gone'}`,
    ];
  },
};

/** Has somebody who installs the policy and lifts the gates, and waits until they are in force. */
async function gated({ runBeside, objects }: Stage, gates: string): Promise<Beside> {
  const lifter = runBeside(gates);
  const pod: Thing = {
    kind: 'Pod',
    metadata: { name: 'tried', namespace: NAMESPACE },
    spec: { containers: [{ name: 'main', image: 'example/none:1' }] },
  };
  await waitFor(async () => (await objects.tried(pod)).spec?.['schedulingGates'] !== undefined, {
    what: 'the gate to be in force',
    timeoutMs: 30_000,
  });
  return lifter;
}

async function installRelease(objects: Objects, controller: Controller): Promise<void> {
  for (const it of [NAD, LAN]) await objects.create(it);
  await controller.settle();
  await objects.create(WEB);
  await controller.settle();
  await objects.create(OWN);
  await controller.settle();
}

async function uninstall(objects: Objects, controller: Controller): Promise<void> {
  for (const object of [
    NAD,
    LAN,
    OWN,
    WEB,
    ...(await objects.list('Pod')).filter(({ metadata }) => metadata.namespace === NAMESPACE),
  ])
    await objects.remove(object, object.kind === 'Pod');
  await controller.settle();
}

async function placed(objects: Objects): Promise<string> {
  const [pod] = (await objects.list('Pod')).filter(
    ({ metadata }) => metadata.namespace === NAMESPACE,
  );
  return pod?.metadata.annotations?.['ovn.kubernetes.io/logical_switch'] ?? 'no subnet';
}
