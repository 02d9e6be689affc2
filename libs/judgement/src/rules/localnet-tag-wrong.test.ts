import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './localnet-tag-wrong';

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const subnet = (metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', { metadata, spec: { vlan: 'v7' } });
const vlan = (id?: number, metadata: Record<string, unknown> = {}) =>
  object('Vlan', 'v7', { metadata, spec: id === undefined ? {} : { id } });
const uplink = (tag?: number, columns: Record<string, unknown> = {}) =>
  row('Logical_Switch_Port', 'localnet.web', {
    type: 'localnet',
    ...(tag === undefined ? {} : { tag }),
    external_ids: { vendor: 'kube-ovn', ls: 'web' },
    ...columns,
  });

testRule(rule, {
  healthy: {
    'the tag is the id': world(subnet(), vlan(7), uplink(7)),
    'neither has one': world(subnet(), vlan(0), uplink()),
    'the Vlan leaves it out': world(subnet(), vlan(), uplink()),
    'it is no underlay': world(object('Subnet', 'web', { spec: {} }), vlan(7), uplink(8)),
    'its Vlan does not exist: that is another finding': world(subnet(), uplink(8)),
    'its uplink is not made yet': world(subnet(), vlan(7)),
    'it is being deleted': world(subnet(LEAVING), vlan(7), uplink(8)),
    'its Vlan is being deleted': world(subnet(), vlan(7, LEAVING), uplink(8)),
    'the id is none that OVN could have': world(subnet(), vlan(5000), uplink(7)),
    'a port of that name is not of its type': world(subnet(), vlan(7), uplink(8, { type: '' })),
    'a port of that name is not Kube-OVN’s': world(
      subnet(),
      vlan(7),
      uplink(8, { external_ids: { ls: 'web' } }),
    ),
    'the port says it is of another subnet': world(
      subnet(),
      vlan(7),
      uplink(8, { external_ids: { vendor: 'kube-ovn', ls: 'db' } }),
    ),
  },
  violation: {
    'the tag is another VLAN’s': {
      given: world(subnet(), vlan(7), uplink(8)),
      summary: 'Subnet web is on Vlan v7, tag 7, and its uplink localnet.web has tag 8',
      concerns: ['localnet.web', 'v7'],
    },
    'there is no tag': {
      given: world(subnet(), vlan(7), uplink()),
      summary: 'Subnet web is on Vlan v7, tag 7, and its uplink localnet.web has no tag',
    },
    'there is one too many': {
      given: world(subnet(), vlan(0), uplink(8)),
      summary: 'Subnet web is on Vlan v7, which has no tag, and its uplink localnet.web has tag 8',
    },
    'the Vlan leaves its id out': {
      given: world(subnet(), vlan(), uplink(8)),
      summary: 'Subnet web is on Vlan v7, which has no tag, and its uplink localnet.web has tag 8',
    },
  },
});
