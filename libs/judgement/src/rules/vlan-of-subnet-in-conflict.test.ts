import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vlan-of-subnet-in-conflict';

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const subnet = (reason?: string, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'web', {
    metadata,
    spec: { vlan: 'v7' },
    ...(reason !== undefined && {
      status: {
        conditions: [
          { type: 'Validated', status: 'True', reason },
          { type: 'Ready', status: 'False', reason: 'ValidateSubnetVlanFailed' },
        ],
      },
    }),
  });
const vlan = (conflict?: boolean, metadata: Record<string, unknown> = {}) =>
  object('Vlan', 'v7', {
    metadata,
    spec: { id: 7, provider: 'net1' },
    ...(conflict !== undefined && { status: { conflict } }),
  });

testRule(rule, {
  healthy: {
    'its Vlan conflicts with none': world(subnet(), vlan(false)),
    'its Vlan has no status, as before v1.14': world(subnet(), vlan()),
    'another Vlan conflicts': world(
      subnet(),
      vlan(false),
      object('Vlan', 'v8', { status: { conflict: true } }),
    ),
    'it is no underlay': world(object('Subnet', 'web', { spec: {} }), vlan(true)),
    'its Vlan does not exist: that is another finding': world(subnet('ValidateSubnetVlanFailed')),
    'it is being deleted: that is another finding': world(subnet(undefined, LEAVING), vlan(true)),
    'its Vlan is being deleted': world(subnet(), vlan(true, LEAVING)),
    'it was found valid since': world(subnet('ValidateLogicalSwitchSuccess'), vlan(false)),
  },
  unknown: { 'VLANs are not listed': world(subnet()).unheardOf('Vlan') },
  violation: {
    'its Vlan conflicts with another': {
      given: world(subnet(), vlan(true)),
      summary: 'Subnet web is refused by the controller: its Vlan v7 conflicts with another',
      concerns: ['v7'],
    },
    'it was accepted before its Vlan conflicted, and will be refused when it changes': {
      given: world(subnet('ValidateLogicalSwitchSuccess'), vlan(true)),
      summary: 'Subnet web is refused by the controller: its Vlan v7 conflicts with another',
      concerns: ['v7'],
    },
    'the conflict is over, and nothing had the Subnet handled again': {
      given: world(subnet('ValidateSubnetVlanFailed'), vlan(false)),
      summary:
        'Subnet web was refused for its Vlan v7 when the controller last handled it, and its Vlan no longer conflicts with another',
      concerns: ['v7'],
    },
  },
});
