import { logicalSwitch, object, port as switchPort, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-joined-to-former-vpc';

const VENDOR = { vendor: 'kube-ovn' };
const router = (name: string) => row('Logical_Router', name, { external_ids: VENDOR });
const port = (of: string, columns: Record<string, unknown> = {}): Built<'Logical_Router_Port'> =>
  row('Logical_Router_Port', `${of}-apps`, {
    external_ids: { ...VENDOR, lr: of },
    mac: '0a:00:00:00:00:01',
    networks: ['10.17.0.1/24'],
    _parents: [{ kind: 'Logical_Router', uid: `Logical_Router:${of}`, column: 'ports' }],
    ...columns,
  });
const uplink = (of: string) =>
  switchPort(`apps-${of}`, {
    type: 'router',
    options: { 'router-port': `${of}-apps` },
    external_ids: { ...VENDOR, ls: 'apps' },
    addresses: ['router'],
  });
const vpc = (over: Record<string, unknown> = {}) => object('Vpc', 'ovn-cluster', over);
const subnet = (spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', { spec: { vpc: 'tenant', ...spec }, metadata });
const SCENE = [
  ...[router('ovn-cluster'), router('tenant'), logicalSwitch(), object('Vpc', 'tenant')],
  ...[port('tenant'), uplink('tenant'), uplink('ovn-cluster')],
];
const left = port('ovn-cluster');

testRule(rule, {
  healthy: {
    'it is the port of its own VPC': world(...SCENE, vpc(), subnet()),
    'its subnet names no VPC, and is in the default one': world(
      ...SCENE.filter((it) => !it.name.includes('tenant')),
      vpc(),
      subnet({ vpc: '' }),
      left,
    ),
    'the new VPC has not joined it yet': world(
      ...SCENE.filter((it) => it.name !== 'tenant-apps'),
      ...[vpc(), subnet(), left],
    ),
    'its switch has no port to it': world(
      ...SCENE.filter((it) => it.name !== 'apps-ovn-cluster'),
      ...[vpc(), subnet(), left],
    ),
    'it has another address: a VPC leaves by it': world(
      ...SCENE,
      ...[vpc(), subnet(), port('ovn-cluster', { networks: ['10.17.0.9/24'] })],
    ),
    'it has an OvnEip': world(
      ...SCENE,
      vpc(),
      subnet(),
      left,
      object('OvnEip', 'ovn-cluster-apps'),
    ),
    'it is to live on a chassis': world(...SCENE, vpc(), subnet(), left, {
      kind: 'Gateway_Chassis',
      uid: 'chassis',
      name: 'chassis',
      object: { _parents: [{ kind: 'Logical_Router_Port', uid: left.uid, column: 'x' }] },
    }),
    'its VPC leaves by external networks': world(
      ...SCENE,
      ...[vpc({ spec: { enableExternal: true } }), subnet(), left],
    ),
    'its VPC left by it, and has not let go of it yet': world(
      ...SCENE,
      ...[vpc({ status: { extraExternalSubnets: ['apps'] } }), subnet(), left],
    ),
    'it leads to a VPC of the name': world(
      ...SCENE,
      ...[vpc(), subnet(), left, object('Vpc', 'apps')],
    ),
    'it has a peer': world(
      ...SCENE,
      ...[vpc(), subnet(), port('ovn-cluster', { peer: 'apps-ovn-cluster' })],
    ),
    'its router is of no Vpc': world(...SCENE, subnet(), left),
    'its subnet is being deleted': world(
      ...SCENE,
      ...[vpc(), subnet({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), left],
    ),
    'its subnet is gone: that is another finding': world(...SCENE, vpc(), left),
    'it has no tag of Kube-OVN’s': world(
      ...SCENE,
      ...[vpc(), subnet(), port('ovn-cluster', { external_ids: { lr: 'ovn-cluster' } })],
    ),
  },
  violation: {
    'its subnet was moved to another VPC': {
      given: world(...SCENE, vpc(), subnet(), left),
      summary:
        'Subnet apps is in Vpc tenant and is joined to the router of Vpc ovn-cluster as well: ports ovn-cluster-apps and tenant-apps both have 10.17.0.1/24',
      concerns: ['apps', 'tenant-apps', 'apps-ovn-cluster'],
    },
  },
});
