import { logicalSwitch, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-without-router-port';

const ready = [
  { type: 'Validated', status: 'True' },
  { type: 'Ready', status: 'True' },
];
const subnet = (
  spec: Record<string, unknown> = {},
  status: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
) =>
  object('Subnet', 'apps', {
    spec: { vpc: 'tenant', provider: 'ovn', cidrBlock: '10.17.0.0/20', ...spec },
    status: { conditions: ready, ...status },
    metadata,
  });
const vpc = (metadata: Record<string, unknown> = {}, router = 'tenant') =>
  object('Vpc', 'tenant', { status: { router }, metadata });
const ofRouter = (name = 'tenant-apps') => row('Logical_Router_Port', name, {});
const ofSwitch = (name = 'apps-tenant') =>
  row('Logical_Switch_Port', name, { type: 'router', options: { 'router-port': 'tenant-apps' } });
const joined = [ofRouter(), ofSwitch()];
const says = (what: string) =>
  `Subnet apps is ready, and its switch is not joined to router tenant: there is no ${what}`;

testRule(rule, {
  healthy: {
    'both ports are there': world(vpc(), logicalSwitch(), subnet(), ...joined),
    'its gateway is physical': world(vpc(), logicalSwitch(), subnet({ vlan: 'v100' })),
    'its gateway is physical, and it is not interconnected yet': world(
      vpc(),
      logicalSwitch(),
      subnet({ vlan: 'v100', u2oInterconnection: true }, { u2oInterconnectionIP: '' }),
    ),
    'its gateway is physical, and it is interconnected no more': world(
      vpc(),
      logicalSwitch(),
      subnet({ vlan: 'v100', logicalGateway: false }, { u2oInterconnectionIP: '10.17.0.10' }),
    ),
    'Kube-OVN only gives its addresses': world(
      vpc(),
      logicalSwitch(),
      subnet({ provider: 'storage.infra' }),
    ),
    'it has no addresses': world(vpc(), logicalSwitch(), subnet({ cidrBlock: '' })),
    'it is not ready': world(
      vpc(),
      logicalSwitch(),
      subnet({}, { conditions: [ready[0], { type: 'Ready', status: 'False' }] }),
    ),
    'the controller has not processed it yet': world(
      vpc(),
      logicalSwitch(),
      subnet({}, { conditions: undefined }),
    ),
    'it is being deleted': world(
      vpc(),
      logicalSwitch(),
      subnet({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'its Vpc is gone: that is another finding': world(logicalSwitch(), subnet()),
    'its Vpc is being deleted': world(
      vpc({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      logicalSwitch(),
      subnet(),
    ),
    'its Vpc has no router yet': world(vpc({}, ''), logicalSwitch(), subnet()),
    "its Vpc is the mirror of somebody else's router": world(
      vpc({ labels: { 'ovn.kubernetes.io/vpc_external': 'true' } }),
      logicalSwitch(),
      subnet(),
    ),
    'it has no switch': world(vpc(), subnet()),
  },
  violation: {
    'the router port is gone': {
      given: world(vpc(), logicalSwitch(), subnet(), ofSwitch(), ofRouter('tenant-data')),
      summary: says('router port tenant-apps'),
    },
    'the port of the switch is gone': {
      given: world(vpc(), logicalSwitch(), subnet(), ofRouter()),
      summary: says('switch port apps-tenant'),
    },
    'both are gone': {
      given: world(vpc(), logicalSwitch(), subnet()),
      summary: says('router port tenant-apps, and no switch port apps-tenant'),
    },
    'both are gone of a subnet without a provider': {
      given: world(vpc(), logicalSwitch(), subnet({ provider: undefined })),
      summary: says('router port tenant-apps, and no switch port apps-tenant'),
    },
    'it is of an attachment': {
      given: world(vpc(), logicalSwitch(), subnet({ provider: 'data.shop.ovn' }), ofSwitch()),
      summary: says('router port tenant-apps'),
    },
    'its gateway is logical, on a VLAN': {
      given: world(
        vpc(),
        logicalSwitch(),
        subnet({ vlan: 'v100', logicalGateway: true }),
        ofSwitch(),
      ),
      summary: says('router port tenant-apps'),
    },
    'it is interconnected': {
      given: world(
        vpc(),
        logicalSwitch(),
        subnet({ vlan: 'v100', u2oInterconnection: true }, { u2oInterconnectionIP: '10.17.0.10' }),
        ofSwitch(),
      ),
      summary: says('router port tenant-apps'),
    },
  },
});
