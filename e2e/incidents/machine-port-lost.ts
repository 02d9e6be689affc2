import { recording } from '@ovn-steward/testbed/recordings';
import { ipOf } from './actor/pods';
import { startController } from './actor/controller';
import type { Objects } from './actor/objects';
import { portCollector } from './actor/port-collection';
import type { Incident } from './incident';

const KEPT = 'vm-db.vms.vm-main.vms.ovn';
const LEAKED = 'vm-gone.vms.storage.infra';

/**
 * A halted machine on a Multus network: Kube-OVN declares its port lost and collects it, and leaves
 * what is really leaked.
 */
export const machinePortLost: Incident = {
  name: 'machine-port-lost',
  happens:
    'A machine whose only network is a Multus one is halted; the periodic collection of ports takes its port and address, while the address of a deleted machine on macvlan stays',
  source: 'kube-ovn.md §4.17, rows 17–19 and 23; #5556, #5087, #5367',
  answer: 'found and freed',
  command: 'steward audit; steward apply --rule leaked-ip --look --wait --yes',
  unprotected: [
    `port ${KEPT} of the halted machine is gone`,
    `IP ${KEPT} is gone: anybody may get 172.23.0.90`,
    `IP ${LEAKED} of a deleted machine still holds 172.21.0.90`,
  ],
  guarded: [
    `port ${KEPT} of the halted machine is there`,
    `IP ${KEPT} holds 172.23.0.90`,
    `IP ${LEAKED} of a deleted machine is gone`,
  ],
  database: recording('clean', 'nb.db'),
  cluster: recording('clean', 'kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const controller = startController(northbound, objects, { vpcFinalizer: true });
    await started(objects, '--gc-interval=360');
    await objects.create({
      kind: 'VirtualMachine',
      metadata: { name: 'vm-db', namespace: 'vms' },
      spec: {
        runStrategy: 'Halted',
        template: {
          metadata: { annotations: {} },
          spec: {
            domain: { devices: {} },
            networks: [{ name: 'default', multus: { default: true, networkName: 'vms/vm-main' } }],
          },
        },
      },
    });
    await northbound.nbctl(
      'lsp-add',
      'vm-main',
      KEPT,
      '--',
      'lsp-set-addresses',
      KEPT,
      '00:00:00:5e:00:90 172.23.0.90',
      '--',
      'set',
      'Logical_Switch_Port',
      KEPT,
      'external_ids:vendor=kube-ovn',
      'external_ids:ls=vm-main',
      'external_ids:pod=vms/vm-db',
    );
    await objects.create(
      ipOf(KEPT, {
        address: '172.23.0.90',
        subnet: 'vm-main',
        namespace: 'vms',
        podName: 'vm-db',
        podType: 'VirtualMachine',
      }),
    );
    await objects.create(
      ipOf(LEAKED, {
        address: '172.21.0.90',
        subnet: 'storage',
        namespace: 'vms',
        podName: 'vm-gone',
        podType: 'VirtualMachine',
      }),
    );
    await controller.settle();
    if (guarded) {
      const [audit, apply] = machinePortLost.command.split('; ') as [string, string];
      found((await run(audit)).stdout, true);
      // What the finding says to do.
      await started(objects, '--gc-interval=0');
      found((await run(audit)).stdout, false);
      await controller.during(run(apply));
    }
    const collector = portCollector(northbound, objects, { forgetsMachineNetworks: true });
    await collector.pass();
    await collector.pass();
    await controller.settle();
    const port = (await northbound.rows('Logical_Switch_Port')).some(({ name }) => name === KEPT);
    const kept = await objects.get('IP', KEPT);
    const leaked = await objects.get('IP', LEAKED);
    return [
      `port ${KEPT} of the halted machine is ${port ? 'there' : 'gone'}`,
      kept
        ? `IP ${KEPT} holds ${String(kept.spec?.['v4IpAddress'])}`
        : `IP ${KEPT} is gone: anybody may get 172.23.0.90`,
      `IP ${LEAKED} of a deleted machine ${leaked ? `still holds ${String(leaked.spec?.['v4IpAddress'])}` : 'is gone'}`,
    ];
  },
};

/** Kube-OVN's controller, of the last release that does this, with that flag. */
async function started(objects: Objects, flag: string): Promise<void> {
  const recorded = (await objects.get('Deployment', 'kube-ovn-controller', 'kube-system'))!;
  const template = recorded.spec!['template'] as { spec: { containers: readonly object[] } };
  const [container] = template.spec.containers;
  const changed = {
    ...template,
    spec: {
      ...template.spec,
      containers: [{ ...container, image: 'docker.io/kubeovn/kube-ovn:v1.14.4', args: [flag] }],
    },
  };
  if (
    !(await objects.write({
      ...recorded,
      kind: 'Deployment',
      spec: { ...recorded.spec, template: changed },
    }))
  )
    throw new Error("somebody else wrote the Deployment of Kube-OVN's controller");
}

/** Holds an audit to what it must say of the halted machine. */
function found(audit: string, expected: boolean): void {
  const said = audit.includes(
    `machine vms/vm-db is halted, and Kube-OVN v1.14.4 (kube-system/kube-ovn-controller) deletes its port ${KEPT} and frees its address 172.23.0.90`,
  );
  if (said !== expected)
    throw new Error(
      `the machine's port is ${said ? 'still' : 'not'} said to be at risk:\n${audit}`,
    );
}
