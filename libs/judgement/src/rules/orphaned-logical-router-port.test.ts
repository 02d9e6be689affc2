import { logicalSwitch, object, port as switchPort, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-logical-router-port';

const VENDOR = { vendor: 'kube-ovn' };
const router = row('Logical_Router', 'tenant', { external_ids: VENDOR });
const port = (name: string, columns: Record<string, unknown> = {}): Built<'Logical_Router_Port'> =>
  row('Logical_Router_Port', name, {
    external_ids: { ...VENDOR, lr: 'tenant' },
    mac: '0a:00:00:00:00:01',
    networks: ['10.50.0.1/24'],
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'ports' }],
    ...columns,
  });
const peer = (
  name: string,
  leadsTo: string,
  ls: string,
  ids: Record<string, string> = { ...VENDOR, ls },
): Built =>
  switchPort(name, {
    type: 'router',
    ls,
    options: { 'router-port': leadsTo },
    external_ids: ids,
    addresses: ['router'],
  });
const toOther = port('tenant-other', { peer: 'other-tenant' });
const heldBy = (kind: string): Built => ({
  kind,
  uid: kind,
  name: kind,
  object: {
    _parents: [{ kind: 'Logical_Router_Port', uid: 'Logical_Router_Port:tenant-web', column: 'x' }],
  },
});

testRule(rule, {
  healthy: {
    'its subnet exists': world(router, port('tenant-web'), object('Subnet', 'web')),
    'its switch still stands': world(router, port('tenant-web'), logicalSwitch('web')),
    'it leads to another VPC': world(router, port('tenant-other', { peer: 'other-tenant' })),
    'its VPC asks for the peering': world(
      router,
      toOther,
      object('Vpc', 'tenant', { spec: { vpcPeerings: [{ remoteVpc: 'other' }] } }),
    ),
    'its VPC has not let go of the peering yet': world(
      router,
      toOther,
      object('Vpc', 'tenant', { status: { vpcPeerings: ['other'] } }),
    ),
    'the other VPC asks for the peering': world(
      router,
      toOther,
      object('Vpc', 'tenant'),
      object('Vpc', 'other', { spec: { vpcPeerings: [{ remoteVpc: 'tenant' }] } }),
    ),
    'neither asks for the peering, which has both halves': world(
      router,
      toOther,
      object('Vpc', 'tenant'),
      port('other-tenant', { peer: 'tenant-other', external_ids: { ...VENDOR, lr: 'other' } }),
    ),
    'a person peered it with a port of another name': world(
      router,
      object('Vpc', 'tenant'),
      port('tenant-other', { peer: 'uplink' }),
    ),
    'it leads to another VPC, whose half is not made yet': world(
      router,
      port('tenant-other'),
      object('Vpc', 'other'),
    ),
    'it leads to an external network': world(
      router,
      port('tenant-ext'),
      object('OvnEip', 'tenant-ext'),
    ),
    'its VPC names it as external network': world(
      router,
      port('tenant-ext'),
      object('Vpc', 'tenant', { spec: { extraExternalSubnets: ['ext'] } }),
    ),
    'it leads to the external gateway switch of a ConfigMap': world(
      router,
      port('tenant-ovn-external'),
    ),
    'it is a BFD port': world(router, port('bfd@tenant')),
    'it leads to an interconnection': world(router, port('zone1-ts')),
    'it is bound to a gateway chassis': world(
      router,
      port('tenant-web'),
      heldBy('Gateway_Chassis'),
    ),
    'it is bound to a group of chassis': world(
      router,
      port('tenant-web'),
      heldBy('HA_Chassis_Group'),
    ),
    'a switch port with another name leads to it': world(
      router,
      port('tenant-web'),
      logicalSwitch('old'),
      object('Subnet', 'old'),
      peer('old-tenant', 'tenant-web', 'old'),
    ),
    "its router is somebody else's": world(
      row('Logical_Router', 'tenant', { external_ids: {} }),
      port('tenant-web'),
    ),
    'it has no tag': world(router, port('tenant-web', { external_ids: { lr: 'tenant' } })),
    'its key names another router than holds it': world(
      row('Logical_Router', 'other', { external_ids: VENDOR }),
      port('tenant-web', {
        _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:other', column: 'ports' }],
      }),
    ),
    "a switch port of somebody else's leads to it": world(
      router,
      port('tenant-web'),
      logicalSwitch('net', {}),
      peer('net-tenant', 'tenant-web', 'net', {}),
    ),
    "a NAT of somebody else's uses it": world(
      router,
      port('tenant-web'),
      row('NAT', '', {
        uid: 'nat',
        gateway_port: 'Logical_Router_Port:tenant-web',
        external_ids: { 'neutron:fip_id': 'x' },
      }),
    ),
  },
  unknown: {
    'subnets are not listed': world(router, port('tenant-web')).unheardOf('Subnet'),
    "a route of Kube-OVN's leads out of it": world(
      router,
      port('tenant-web'),
      row('Logical_Router_Static_Route', '', {
        uid: 'route',
        external_ids: VENDOR,
        ip_prefix: '0.0.0.0/0',
        nexthop: '10.50.0.9',
        output_port: 'tenant-web',
        _parents: [
          { kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'static_routes' },
        ],
      }),
    ),
  },
  violation: {
    'its subnet and its switch are gone': {
      given: world(
        router,
        object('Vpc', 'tenant'),
        port('tenant-web'),
        port('tenant-db', { networks: ['10.50.1.1/24'] }),
        object('Subnet', 'db'),
        logicalSwitch('db'),
        peer('db-tenant', 'tenant-db', 'db'),
      ),
      summary: 'router port tenant-web leads to Subnet web, which no longer exists',
    },
    'it is half of a peering with a VPC that is gone': {
      given: world(router, toOther, object('Vpc', 'tenant')),
      summary:
        'router port tenant-other leads to Vpc other, with which Vpc tenant asks for no peering',
    },
    'it is half of a peering that neither VPC asks for': {
      given: world(
        router,
        toOther,
        object('Vpc', 'tenant', { spec: { vpcPeerings: [{ remoteVpc: 'third' }] } }),
        object('Vpc', 'other', { spec: {}, status: { vpcPeerings: ['third'] } }),
      ),
      summary:
        'router port tenant-other leads to Vpc other, with which Vpc tenant asks for no peering',
    },
    'its subnet has dashes in its name': {
      given: world(router, port('tenant-web-front')),
      summary: 'router port tenant-web-front leads to Subnet web-front, which no longer exists',
    },
  },
});
