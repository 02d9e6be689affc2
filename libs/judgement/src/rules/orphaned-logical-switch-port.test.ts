import {
  binding,
  chassisReport,
  deadHost,
  ip,
  logicalSwitch,
  object,
  pod,
  port,
  readyNode,
  servedPod,
  statefulSet,
} from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-logical-switch-port';

const ids = (more: Record<string, string>) => ({ vendor: 'kube-ovn', ls: 'apps', ...more });
const apps = logicalSwitch();
const going = (name: string) =>
  ip(name, {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });

testRule(rule, {
  healthy: {
    'its pod exists': world(apps, port(), pod('shop/web-0')),
    'its pod is completed but still there': world(
      apps,
      port(),
      pod('shop/web-0', { status: { phase: 'Succeeded' } }),
    ),
    'its machine is halted but still there': world(
      apps,
      port(),
      object('VirtualMachine', 'shop/web-0'),
    ),
    'its machine instance is bare': world(
      apps,
      port(),
      object('VirtualMachineInstance', 'shop/web-0'),
    ),
    'its set wants the ordinal': world(apps, port(), statefulSet('shop/web', 1)),
    'its set starts counting later': world(
      apps,
      port('web-5.shop'),
      statefulSet('shop/web', 3, { spec: { replicas: 3, ordinals: { start: 4 } } }),
    ),
    'its set has an unreadable replica count': world(
      apps,
      port('web-5.shop'),
      statefulSet('shop/web', 1, { spec: { replicas: 'many' } }),
    ),
    'its address is reserved': world(
      apps,
      port(),
      ip('web-0.shop', {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
    ),
    'it serves a typed Vip': world(apps, port('front.shop'), object('Vip', 'front')),
    'it is a node port': world(
      apps,
      port('node-a.b', { external_ids: ids({}) }),
      object('Node', 'a.b'),
    ),
    'it is a querier of a living subnet': world(
      apps,
      port('mcast-querier.apps', { external_ids: ids({ pod: 'default/mcast-querier.apps' }) }),
      object('Subnet', 'apps'),
    ),
    'it is an attachment of a living pod': world(
      apps,
      port('web-0.shop.data.shop.ovn', { external_ids: ids({ pod: 'shop/web-0' }) }),
      pod('shop/web-0'),
    ),
    'it is a router port': world(
      apps,
      port('apps-ovn-cluster', { type: 'router', external_ids: ids({}) }),
    ),
    "it is proven the end of a router of Kube-OVN's": world(
      apps,
      port('apps-ovn-cluster', {
        type: 'router',
        options: { 'router-port': 'ovn-cluster-apps' },
        external_ids: ids({}),
      }),
    ),
    'it is proven the virtual port of its subnet': world(
      apps,
      port('apps-vip-10.16.0.9', {
        type: 'virtual',
        options: { 'virtual-ip': '10.16.0.9' },
        external_ids: ids({}),
      }),
    ),
    'it is a virtual port': world(
      apps,
      port('vip-free', { type: 'virtual', external_ids: ids({}) }),
    ),
    'it is hand-made': world(
      apps,
      port('web-0.shop', { external_ids: { pod: 'shop/web-0', ls: 'apps' } }),
    ),
    'it carries a Neutron key': world(
      apps,
      port('web-0.shop', { external_ids: ids({ pod: 'shop/web-0', 'neutron:port_name': 'x' }) }),
    ),
    'its address record leaked with it: one finding reports both': world(
      apps,
      port(),
      ip('web-0.shop'),
    ),
    'another port has its name, and their address record leaked': world(
      apps,
      port(),
      port('web-0.shop', { uid: 'another' }),
      ip('web-0.shop'),
    ),
  },
  unknown: {
    'whether its gateway exists is not known': world(
      apps,
      port('vpc-nat-gw-gw1-0.kube-system', {
        external_ids: ids({ pod: 'kube-system/vpc-nat-gw-gw1-0' }),
      }),
    ).unheardOf('VpcNatGateway'),
    'its Vip is gone, and a rule still answers its address': world(
      apps,
      port('front.shop'),
      object('SwitchLBRule', 's', { spec: { vip: 'fd00::1,10.17.0.10' } }),
    ),
    'a floating IP still leads to it, by name': world(
      apps,
      port(),
      ip('web-0.shop'),
      object('OvnFip', 'f', { spec: { ipName: 'web-0.shop' } }),
    ),
    'a floating IP still leads to its address': world(
      apps,
      port(),
      ip('web-0.shop'),
      object('OvnFip', 'f', { spec: { v4Ip: '10.17.0.10' } }),
    ),
    'a DNAT rule was made for its address, whatever it names': world(
      apps,
      port(),
      ip('web-0.shop'),
      object('OvnDnatRule', 'd', { spec: { ipName: 'renamed' }, status: { v4Ip: '10.17.0.10' } }),
    ),
    'it is an endpoint of a balancer': world(
      apps,
      port(),
      ip('web-0.shop'),
      object('SwitchLBRule', 's', { spec: { endpoints: ['10.17.0.9', '10.17.0.10'] } }),
    ),
    'its address record is of a pod type of a later Kube-OVN': world(
      apps,
      port(),
      ip('web-0.shop', { podType: 'Sandbox' }),
    ),
    "its address record is somebody's of a kind we do not know": world(
      apps,
      port(),
      ip(
        'web-0.shop',
        {},
        {
          metadata: {
            ownerReferences: [
              { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w' },
            ],
          },
        },
      ),
    ),
    'pods are not listed': world(apps, port()).unlisted('Pod'),
    'the database is not read': world(apps, port()).unlisted('Logical_Switch_Port'),
    'a chassis of a living node holds its port up': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      apps,
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'worker-1'),
    ),
    'the silent chassis that holds its port up is of a node that is there': world(
      ...deadHost(),
      readyNode('edge-1'),
      ...servedPod('shop/api-0'),
      apps,
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1'),
    ),
    'the chassis of the missing node that holds its port up follows': world(
      ...deadHost('edge-1', chassisReport('edge-1', 9, 60)),
      ...servedPod('shop/api-0'),
      apps,
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1'),
    ),
    'a second chassis holds its port up': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      apps,
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1', { additional_chassis: ['Chassis:chassis-of-worker-1'] }),
    ),
    'the Southbound has no binding of its port': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      apps,
      port('web-0.shop', { up: true }),
    ),
    'a chassis holds it up': world(apps, port('web-0.shop', { up: true })),
    'another port has its name, which the controller removes with the address': world(
      apps,
      port(),
      port('web-0.shop', { uid: 'another' }),
      going('web-0.shop'),
    ),
    'its address record is of a machine that lives': world(
      apps,
      port(),
      ip('web-0.shop', { podName: 'vm' }),
      pod('shop/virt-launcher-vm', {
        metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm' } },
      }),
    ),
    'machines are installed but not listed': world(apps, port()).unlisted('VirtualMachine'),
  },
  violation: {
    'its subnet, which lives, has no querier any more': {
      given: world(
        logicalSwitch(),
        port('mcast-querier.apps', { external_ids: ids({ pod: 'default/mcast-querier.apps' }) }),
        object('Subnet', 'apps', { spec: {}, status: { mcastQuerierIP: '' } }),
      ),
      summary: 'port mcast-querier.apps serves default/mcast-querier.apps, which no longer exists',
    },
    'the dead chassis of a node that is gone holds its port up': {
      given: world(
        ...deadHost(),
        ...servedPod('shop/api-0'),
        apps,
        port('web-0.shop', { up: true }),
        binding('web-0.shop', 'edge-1'),
      ),
      summary:
        'port web-0.shop serves shop/web-0, which no longer exists; it counts as up, yet it is bound on the silent chassis of node edge-1, which does not exist',
      noRemedy: true,
    },
    'its port counts as up, and no chassis has bound it': {
      given: world(
        ...deadHost(),
        ...servedPod('shop/api-0'),
        apps,
        port('web-0.shop', { up: true }),
        binding('web-0.shop', ''),
      ),
      summary:
        'port web-0.shop serves shop/web-0, which no longer exists; it counts as up, yet no chassis has bound it',
      noRemedy: true,
    },
    'nothing claims it': {
      given: world(apps, port(), pod('shop/web-1'), pod('other/web-0')),
      summary: 'port web-0.shop serves shop/web-0, which no longer exists',
    },
    'KubeVirt is not installed': {
      given: world(apps, port()).notInstalled('VirtualMachine', 'VirtualMachineInstance'),
      summary: 'port web-0.shop serves shop/web-0, which no longer exists',
    },
    'its set was scaled below the ordinal': {
      given: world(apps, port('web-2.shop'), statefulSet('shop/web', 2)),
      summary: 'port web-2.shop serves shop/web-2, which no longer exists',
    },
    'its address record is being deleted: the controller is to remove the port': {
      given: world(apps, port(), going('web-0.shop')),
      summary: 'port web-0.shop serves shop/web-0, which no longer exists',
      concerns: ['web-0.shop'],
      noRemedy: true,
    },
    'it has no record, so whoever has its address keeps it': {
      given: world(
        apps,
        port(),
        ip('web-1.shop'),
        pod('shop/web-1'),
        object('OvnFip', 'f', { spec: { v4Ip: '10.17.0.10' } }),
      ),
      summary: 'port web-0.shop serves shop/web-0, which no longer exists',
      action: 'delete-logical-switch-port',
    },
    'its node is gone': {
      given: world(apps, port('node-edge-1.dc2', { external_ids: ids({}) })),
      summary: 'port node-edge-1.dc2 serves node-edge-1.dc2, which no longer exists',
    },
  },
});
