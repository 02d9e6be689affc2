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
    (recording) => {
      recording.add('VirtualMachineInstance', 'vms/bare', {
        spec: {},
        status: { phase: 'Running' },
      });
      portAndIp(recording, 'vms/bare', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a machine without a template',
    (recording) => {
      recording.add('VirtualMachine', 'vms/empty', { spec: { runStrategy: 'Halted' } });
      portAndIp(recording, 'vms/empty', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a machine that is being deleted',
    (recording) => {
      recording.get('VirtualMachine', 'vms/vm-stopped').metadata.deletionTimestamp =
        '2026-08-22T00:00:00Z';
    },
  ],
  [
    'a launcher of a machine that keeps no address',
    (recording) => {
      pod(recording, 'vms/virt-launcher-x-abcde');
      portAndIp(recording, 'vms/virt-launcher-x-abcde', 'ovn-default', 'VirtualMachine');
    },
  ],
  [
    'a migrating machine with two launchers, one completed',
    (recording) => {
      recording.get('Pod', 'vms/virt-launcher-vm-web-27h4j').status.phase = 'Succeeded';
      pod(recording, 'vms/virt-launcher-vm-web-zzzzz');
    },
  ],
  [
    'a machine whose launcher and instance are gone',
    (recording) => {
      deletePod(recording, 'vms/virt-launcher-vm-multi-wsjxr');
      recording.remove('VirtualMachineInstance', 'vms/vm-multi');
    },
  ],
  [
    'a launcher whose machine is gone',
    (recording) => {
      recording.remove('VirtualMachine', 'vms/vm-multi');
      recording.remove('VirtualMachineInstance', 'vms/vm-multi');
      for (const name of ['vm-multi.vms', 'vm-multi.vms.vm-lan.vms.ovn'])
        recording.nb.row('Logical_Switch_Port', name)['up'] = [false];
    },
  ],
  [
    'completed, failed, evicted and terminating pods',
    (recording) => {
      const [a, b, c, d] = recording.all('Pod').filter((one) => one.metadata.namespace === 'shop');
      a.status = { phase: 'Succeeded' };
      b.status = { phase: 'Failed' };
      c.status = { phase: 'Failed', reason: 'Evicted' };
      d.metadata.deletionTimestamp = '2020-01-01T00:00:00Z';
    },
  ],
  [
    'a pod that went to the network of its host',
    (recording) => {
      recording.get('Pod', 'shop/redis-0').spec.hostNetwork = true;
    },
  ],
  [
    'a pod of a set that is momentarily absent',
    (recording) => {
      deletePod(recording, 'shop/redis-1');
    },
  ],
  [
    'all pods of a set that is being restarted',
    (recording) => {
      for (const i of [0, 1, 2]) deletePod(recording, `payments/pg-${i}`);
    },
  ],
  [
    'ordinals that start at 5',
    (recording) => {
      recording.add('StatefulSet', 'shop/late', set(2, 5));
      for (const i of [5, 6]) portAndIp(recording, `shop/late-${i}`, 'apps', 'StatefulSet');
    },
  ],
  [
    'a set that does not say how many',
    (recording) => {
      recording.add('StatefulSet', 'shop/one', { spec: {} });
      portAndIp(recording, 'shop/one-0', 'apps', 'StatefulSet');
    },
  ],
  [
    'a set scaled to nothing while its pod is still there',
    (recording) => {
      recording.get('StatefulSet', 'shop/redis').spec.replicas = 0;
    },
  ],
  [
    'a set that was deleted while its pods are still there',
    (recording) => {
      recording.remove('StatefulSet', 'shop/redis');
    },
  ],
  [
    'a set whose name has dots and digits',
    (recording) => {
      recording.add('StatefulSet', 'shop/db-0.v2-1', set(1));
      portAndIp(recording, 'shop/db-0.v2-1-0', 'apps', 'StatefulSet');
    },
  ],
  [
    'a set whose pod is absent, with an attachment',
    (recording) => {
      recording.add('StatefulSet', 'shop/multi', set(1));
      portAndIp(recording, 'shop/multi-0', 'data', 'StatefulSet', '.data-net.shop.ovn');
      ownIp(recording, 'multi-0.shop.storage.infra', 'storage', {
        namespace: 'shop',
        podName: 'multi-0',
        podType: 'StatefulSet',
      });
    },
  ],
  [
    'an attachment used twice, with interface names',
    (recording) => {
      pod(recording, 'shop/twice');
      for (const nic of ['net1', 'net2'])
        portAndIp(recording, 'shop/twice', 'data', '', `.data-net.shop.ovn.${nic}`);
    },
  ],
  [
    'an interface without a port',
    (recording) => {
      pod(recording, 'shop/macvlan');
      ownIp(recording, 'macvlan.shop.storage.infra', 'storage', {
        namespace: 'shop',
        podName: 'macvlan',
      });
    },
  ],
  [
    'a pod whose name has dots',
    (recording) => {
      pod(recording, 'shop/a.b.c');
      portAndIp(recording, 'shop/a.b.c', 'apps');
    },
  ],
  [
    'pods named like the parts of JavaScript objects',
    (recording) => {
      for (const name of ['constructor', '__proto__', 'tostring']) {
        pod(recording, `shop/${name}`);
        portAndIp(recording, `shop/${name}`, 'apps');
      }
    },
  ],
  [
    'a gateway whose pod is absent',
    (recording) => {
      deletePod(recording, 'kube-system/vpc-nat-gw-gw-a-0');
    },
  ],
  [
    'a gateway whose workload is being recreated',
    (recording) => {
      deletePod(recording, 'kube-system/vpc-nat-gw-gw-a-0');
      recording.remove('StatefulSet', 'kube-system/vpc-nat-gw-gw-a');
    },
  ],
  [
    'the pods of a gateway of several',
    (recording) => {
      pod(recording, 'kube-system/vpc-nat-gw-gw-a-7c9f-x1');
      portAndIp(recording, 'kube-system/vpc-nat-gw-gw-a-7c9f-x1', 'ta-web');
    },
  ],
  [
    'a dotted node',
    (recording) => {
      recording.add('Node', 'a.b.example.net');
      ownPort(recording, 'node-a.b.example.net', 'join');
      ownIp(recording, 'node-a.b.example.net', 'join', {
        podName: 'a.b.example.net',
        nodeName: 'a.b.example.net',
      });
    },
  ],
  [
    'a reserved address of a pod to come',
    (recording) => {
      for (const [podType, name] of [
        ['', 'r1'],
        ['StatefulSet', 'r2-0'],
        ['VirtualMachine', 'r3'],
      ])
        ownIp(
          recording,
          `${name}.shop`,
          'apps',
          { namespace: 'shop', podName: name, podType },
          { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } },
        );
    },
  ],
  [
    'a reserved address whose port is kept',
    (recording) => {
      portAndIp(recording, 'shop/held', 'apps');
      recording.get('IP', 'held.shop').metadata.labels['ovn.kubernetes.io/ip_reserved'] = 'true';
    },
  ],
  [
    'a reservation the controller has not seen yet',
    (recording) => {
      recording.add('IP', 'early.shop', {
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
    (recording) => {
      ownIp(
        recording,
        'mine.shop',
        'apps',
        { namespace: 'shop', podName: 'mine' },
        { annotations: { 'ovn-steward.dev/protect': 'until Friday' } },
      );
    },
  ],
  [
    'a port whose address somebody protects',
    (recording) => {
      portAndIp(recording, 'shop/mine', 'apps');
      recording.get('IP', 'mine.shop').metadata.annotations = {
        'ovn-steward.dev/protect': 'until Friday',
      };
    },
  ],
  [
    'a port somebody protects',
    (recording) => {
      portAndIp(recording, 'shop/mine', 'apps');
      recording.remove('IP', 'mine.shop');
      recording.nb.row('Logical_Switch_Port', 'mine.shop')['external_ids'] = {
        vendor: 'kube-ovn',
        ls: 'apps',
        pod: 'shop/mine',
        'ovn-steward.dev/protect': 'yes',
      };
    },
  ],
  [
    'an address that is being deleted',
    (recording) => {
      ownIp(
        recording,
        'going.shop',
        'apps',
        { namespace: 'shop', podName: 'going' },
        { deletionTimestamp: '2026-08-22T00:00:00Z' },
      );
    },
  ],
  [
    'an address owned by a kind we do not know',
    (recording) => {
      ownIp(
        recording,
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
    (recording) => {
      ownIp(recording, 'odd.shop', 'apps', {
        namespace: 'shop',
        podName: 'odd',
        podType: 'Deployment',
      });
    },
  ],
  [
    'a querier and an interconnection of an underlay',
    (recording) => {
      for (const name of ['apps', 'data'])
        recording.get('Subnet', name).spec.enableMulticastSnoop = true;
      portAndIp(recording, 'default/mcast-querier.apps', 'apps');
      ownPort(recording, 'mcast-querier.data', 'data', 'default/mcast-querier.data');
      ownIp(recording, 'mcast-querier.data', 'data', {
        namespace: 'default',
        podName: 'mcast-querier.data',
      });
    },
  ],
];

test.each(KEPT)('%s is kept', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});
