import { deletePod, doomedIn, ownIp, ownPort, pod, portAndIp } from './testing/scenario';
import type { Scenario } from './testing/scenario';

const set = (replicas: number, start?: number) => ({
  spec: { replicas, ...(start === undefined ? {} : { ordinals: { start } }), template: {} },
});

/**
 * Living workloads whose ports and addresses look abandoned, each on top of the healthy recording.
 */
const KEPT: readonly Scenario[] = [
  [
    'a bare VirtualMachineInstance',
    (it) => {
      it.add('VirtualMachineInstance', 'vms/bare', { spec: {}, status: { phase: 'Running' } });
      portAndIp(it, 'vms/bare', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a machine without a template',
    (it) => {
      it.add('VirtualMachine', 'vms/empty', { spec: { runStrategy: 'Halted' } });
      portAndIp(it, 'vms/empty', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a machine that is being deleted',
    (it) => {
      it.get('VirtualMachine', 'vms/vm-stopped').metadata.deletionTimestamp =
        '2026-08-22T00:00:00Z';
    },
  ],
  [
    'a launcher of a machine that keeps no address',
    (it) => {
      pod(it, 'vms/virt-launcher-x-abcde');
      portAndIp(it, 'vms/virt-launcher-x-abcde', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a migrating machine with two launchers, one completed',
    (it) => {
      it.get('Pod', 'vms/virt-launcher-vm-web-27h4j').status.phase = 'Succeeded';
      pod(it, 'vms/virt-launcher-vm-web-zzzzz');
    },
  ],
  [
    'a machine whose launcher and instance are gone',
    (it) => {
      deletePod(it, 'vms/virt-launcher-vm-multi-wsjxr');
      it.remove('VirtualMachineInstance', 'vms/vm-multi');
    },
  ],
  [
    'a launcher whose machine is gone',
    (it) => {
      it.remove('VirtualMachine', 'vms/vm-multi');
      it.remove('VirtualMachineInstance', 'vms/vm-multi');
      for (const name of ['vm-multi.vms', 'vm-multi.vms.vm-lan.vms.ovn'])
        it.nb.row('Logical_Switch_Port', name)['up'] = [false];
    },
  ],
  [
    'completed, failed, evicted and terminating pods',
    (it) => {
      const [a, b, c, d] = it.all('Pod').filter((one) => one.metadata.namespace === 'shop');
      a.status = { phase: 'Succeeded' };
      b.status = { phase: 'Failed' };
      c.status = { phase: 'Failed', reason: 'Evicted' };
      d.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    },
  ],
  [
    'a pod that went to the network of its host',
    (it) => {
      it.get('Pod', 'shop/redis-0').spec.hostNetwork = true;
    },
  ],
  [
    'a pod of a set that is momentarily absent',
    (it) => {
      deletePod(it, 'shop/redis-1');
    },
  ],
  [
    'all pods of a set that is being restarted',
    (it) => {
      for (const i of [0, 1, 2]) deletePod(it, `payments/pg-${i}`);
    },
  ],
  [
    'ordinals that start at 5',
    (it) => {
      it.add('StatefulSet', 'shop/late', set(2, 5));
      for (const i of [5, 6]) portAndIp(it, `shop/late-${i}`, 'apps', 'StatefulSet');
    },
  ],
  [
    'a set that does not say how many',
    (it) => {
      it.add('StatefulSet', 'shop/one', { spec: {} });
      portAndIp(it, 'shop/one-0', 'apps', 'StatefulSet');
    },
  ],
  [
    'a set scaled to nothing while its pod is still there',
    (it) => {
      it.get('StatefulSet', 'shop/redis').spec.replicas = 0;
    },
  ],
  [
    'a set that was deleted while its pods are still there',
    (it) => {
      it.remove('StatefulSet', 'shop/redis');
    },
  ],
  [
    'a set whose name has dots and digits',
    (it) => {
      it.add('StatefulSet', 'shop/db-0.v2-1', set(1));
      portAndIp(it, 'shop/db-0.v2-1-0', 'apps', 'StatefulSet');
    },
  ],
  [
    'a set whose pod is absent, with an attachment',
    (it) => {
      it.add('StatefulSet', 'shop/multi', set(1));
      portAndIp(it, 'shop/multi-0', 'data', 'StatefulSet', '.data-net.shop.ovn');
      ownIp(it, 'multi-0.shop.storage.infra', 'storage', {
        namespace: 'shop',
        podName: 'multi-0',
        podType: 'StatefulSet',
      });
    },
  ],
  [
    'an attachment used twice, with interface names',
    (it) => {
      pod(it, 'shop/twice');
      for (const nic of ['net1', 'net2'])
        portAndIp(it, 'shop/twice', 'data', '', `.data-net.shop.ovn.${nic}`);
    },
  ],
  [
    'an interface without a port',
    (it) => {
      pod(it, 'shop/macvlan');
      ownIp(it, 'macvlan.shop.storage.infra', 'storage', { namespace: 'shop', podName: 'macvlan' });
    },
  ],
  [
    'a pod whose name has dots',
    (it) => {
      pod(it, 'shop/a.b.c');
      portAndIp(it, 'shop/a.b.c', 'apps');
    },
  ],
  [
    'pods named like the parts of JavaScript objects',
    (it) => {
      for (const name of ['constructor', '__proto__', 'tostring']) {
        pod(it, `shop/${name}`);
        portAndIp(it, `shop/${name}`, 'apps');
      }
    },
  ],
  [
    'a gateway whose pod is absent',
    (it) => {
      deletePod(it, 'kube-system/vpc-nat-gw-gw-a-0');
    },
  ],
  [
    'a gateway whose workload is being recreated',
    (it) => {
      deletePod(it, 'kube-system/vpc-nat-gw-gw-a-0');
      it.remove('StatefulSet', 'kube-system/vpc-nat-gw-gw-a');
    },
  ],
  [
    'the pods of a gateway of several',
    (it) => {
      pod(it, 'kube-system/vpc-nat-gw-gw-a-7c9f-x1');
      portAndIp(it, 'kube-system/vpc-nat-gw-gw-a-7c9f-x1', 'ta-web');
    },
  ],
  [
    'a dotted node',
    (it) => {
      it.add('Node', 'a.b.example.net');
      ownPort(it, 'node-a.b.example.net', 'join');
      ownIp(it, 'node-a.b.example.net', 'join', {
        podName: 'a.b.example.net',
        nodeName: 'a.b.example.net',
      });
    },
  ],
  [
    'a reserved address of a pod to come',
    (it) => {
      for (const [podType, name] of [
        ['', 'r1'],
        ['StatefulSet', 'r2-0'],
        ['VirtualMachine', 'r3'],
      ])
        ownIp(
          it,
          `${name}.shop`,
          'apps',
          { namespace: 'shop', podName: name, podType },
          { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } },
        );
    },
  ],
  [
    'a reserved address whose port is kept',
    (it) => {
      portAndIp(it, 'shop/held', 'apps');
      it.get('IP', 'held.shop').metadata.labels['ovn.kubernetes.io/ip_reserved'] = 'true';
    },
  ],
  [
    'a reservation the controller has not seen yet',
    (it) => {
      it.add('IP', 'early.shop', {
        spec: {
          subnet: 'apps',
          namespace: 'shop',
          podName: 'early',
          podType: '',
          ipAddress: '10.17.0.99',
          v4IpAddress: '10.17.0.99',
        },
      });
    },
  ],
  [
    'an address somebody protects',
    (it) => {
      ownIp(
        it,
        'mine.shop',
        'apps',
        { namespace: 'shop', podName: 'mine' },
        { annotations: { 'ovn-steward.dev/protect': 'until Friday' } },
      );
    },
  ],
  [
    'a port whose address somebody protects',
    (it) => {
      portAndIp(it, 'shop/mine', 'apps');
      it.get('IP', 'mine.shop').metadata.annotations = {
        'ovn-steward.dev/protect': 'until Friday',
      };
    },
  ],
  [
    'a port somebody protects',
    (it) => {
      portAndIp(it, 'shop/mine', 'apps');
      it.remove('IP', 'mine.shop');
      it.nb.row('Logical_Switch_Port', 'mine.shop')['external_ids'] = {
        vendor: 'kube-ovn',
        ls: 'apps',
        pod: 'shop/mine',
        'ovn-steward.dev/protect': 'yes',
      };
    },
  ],
  [
    'an address that is being deleted',
    (it) => {
      ownIp(
        it,
        'going.shop',
        'apps',
        { namespace: 'shop', podName: 'going' },
        { deletionTimestamp: '2026-08-22T00:00:00Z' },
      );
    },
  ],
  [
    'an address owned by a kind we do not know',
    (it) => {
      ownIp(
        it,
        'odd.shop',
        'apps',
        { namespace: 'shop', podName: 'odd' },
        {
          ownerReferences: [
            { apiVersion: 'example.org/v1', kind: 'Appliance', name: 'odd', uid: 'u' },
          ],
        },
      );
    },
  ],
  [
    'an address of a pod type we do not know',
    (it) => {
      ownIp(it, 'odd.shop', 'apps', { namespace: 'shop', podName: 'odd', podType: 'Deployment' });
    },
  ],
  [
    'a querier and an interconnection of an underlay',
    (it) => {
      portAndIp(it, 'default/mcast-querier.apps', 'apps');
      ownPort(it, 'mcast-querier.data', 'data', 'default/mcast-querier.data');
      ownIp(it, 'mcast-querier.data', 'data', {
        namespace: 'default',
        podName: 'mcast-querier.data',
      });
    },
  ],
];

test.each(KEPT)('%s is kept', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});
