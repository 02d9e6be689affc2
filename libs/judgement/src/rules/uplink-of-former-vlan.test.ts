import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './uplink-of-former-vlan';

const subnet = (spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', { metadata, spec: { cidrBlock: '10.20.0.0/24', ...spec } });
const IDS = { vendor: 'kube-ovn', ls: 'web', ipv4_network: '10.20.0.0/24' };
/** As `CreateLocalnetLogicalSwitchPort` writes it (pkg/ovs/ovn-nb-logical_switch_port.go). */
const uplink = (columns: Record<string, unknown> = {}) =>
  row('Logical_Switch_Port', 'localnet.web', {
    type: 'localnet',
    addresses: ['unknown'],
    options: { network_name: 'net1' },
    tag: 7,
    external_ids: IDS,
    ...columns,
  });

testRule(rule, {
  healthy: {
    'it has a Vlan': world(subnet({ vlan: 'v7' }), uplink()),
    'it has no uplink': world(subnet()),
    'it is being deleted': world(
      subnet({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      uplink(),
    ),
    'the port is of an external gateway from a ConfigMap': world(
      subnet(),
      uplink({ external_ids: { vendor: 'kube-ovn', ls: 'web' } }),
    ),
    'the port is not Kube-OVN’s': world(
      subnet(),
      uplink({ external_ids: { ...IDS, vendor: 'x' } }),
    ),
    'the port is of another subnet': world(
      subnet(),
      uplink({ external_ids: { ...IDS, ls: 'db' } }),
    ),
    'the port is of another type': world(subnet(), uplink({ type: '' })),
  },
  unknown: { 'ports are not listed': world(subnet()).unheardOf('Logical_Switch_Port') },
  violation: {
    'the Vlan left its spec': {
      given: world(subnet(), uplink()),
      summary:
        'Subnet web names no Vlan, and its switch still has the uplink localnet.web to provider network net1, tag 7',
      concerns: ['localnet.web'],
    },
    'the Vlan left its spec, and had no tag': {
      given: world(subnet({ vlan: '' }), uplink({ tag: undefined })),
      summary:
        'Subnet web names no Vlan, and its switch still has the uplink localnet.web to provider network net1',
    },
  },
});
