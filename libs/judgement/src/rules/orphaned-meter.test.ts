import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-meter';

const VENDOR = { vendor: 'kube-ovn' };
const meter = (
  name = 'deny.web.shop_to-lport_meter',
  columns: Record<string, unknown> = {},
): Built<'Meter'> =>
  row('Meter', name, { unit: 'pktps', bands: ['band'], external_ids: VENDOR, ...columns });
const band = row('Meter_Band' as 'Meter', '', {
  uid: 'band',
  external_ids: VENDOR,
  _parents: [{ kind: 'Meter', uid: 'Meter:deny.web.shop_to-lport_meter', column: 'bands' }],
});
const group = row('Port_Group', 'deny.web.shop', {
  external_ids: { ...VENDOR, np: 'shop/deny-web' },
});
const other = row('Port_Group', 'other.shop', { external_ids: { ...VENDOR, np: 'shop/other' } });
const logs = (uid: string, columns: Record<string, unknown>): Built<'ACL'> =>
  row('ACL', '', {
    uid,
    direction: 'to-lport',
    match: 'ip4',
    meter: 'deny.web.shop_to-lport_meter',
    ...columns,
  });
const says =
  'meter deny.web.shop_to-lport_meter is of port group deny.web.shop, which no longer exists';

testRule(rule, {
  healthy: {
    'its group is there': world(meter(), band, group),
    'its policy is there, and the group about to be': world(
      meter(),
      object('NetworkPolicy', 'shop/deny-web'),
    ),
    'a policy that shares the group is there': world(
      meter(),
      object('NetworkPolicy', 'shop/deny.web'),
    ),
    'it has no tag': world(meter(undefined, { external_ids: {} })),
    "it is not named as a group's": world(meter('manual_meter')),
    "it is OVN-Kubernetes'": world(meter('acl-logging', { external_ids: {} })),
    "somebody else's ACL names it": world(
      meter(),
      logs('foreign', { external_ids: { 'neutron:security_group_rule_id': 'x' } }),
    ),
    'a Copp names it': world(
      meter(),
      row('Copp' as 'Meter', 'c', { meters: { arp: 'deny.web.shop_to-lport_meter' } }),
    ),
  },
  unknown: {
    "an ACL of Kube-OVN's names it": world(
      meter(),
      other,
      logs('own', {
        external_ids: { ...VENDOR, parent: 'other.shop' },
        _parents: [{ kind: 'Port_Group', uid: 'Port_Group:other.shop', column: 'acls' }],
      }),
    ),
    'policies are not listed': world(meter()).unheardOf('NetworkPolicy'),
  },
  violation: {
    'its group is gone': {
      given: world(meter(), band, other, object('NetworkPolicy', 'shop/other')),
      summary: says,
    },
    'that of the other direction': {
      given: world(meter('deny.web.shop_from-lport_meter')),
      summary:
        'meter deny.web.shop_from-lport_meter is of port group deny.web.shop, which no longer exists',
    },
  },
});
