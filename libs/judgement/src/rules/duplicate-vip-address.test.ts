import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-vip-address';

const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const vip = (
  name = 'front',
  v4ip = '10.1.0.5',
  metadata: Record<string, unknown> = {},
  subnet = 'external',
) => object('Vip', name, { metadata, spec: { subnet }, status: { v4ip } });
const eip = (name = 'out', v4Ip = '10.1.0.5', metadata: Record<string, unknown> = {}) =>
  object('OvnEip', name, { metadata, spec: { externalSubnet: 'external' }, status: { v4Ip } });
const iptables = (name = 'gw') =>
  object('IptablesEIP', name, {
    spec: { externalSubnet: 'external' },
    status: { ip: '10.1.0.5' },
  });
const said = (other: string, more = '') =>
  `10.1.0.5 of subnet external is given to Vip front and to ${other}${more}: deleting either frees it under the other`;

testRule(rule, {
  healthy: {
    'nobody has its address': world(vip(), eip('out', '10.1.0.6'), vip('back', '10.1.0.7')),
    'the address is of another subnet': world(vip('front', '10.1.0.5', {}, 'apps'), eip()),
    'it is being deleted': world(vip('front', '10.1.0.5', GOING), eip()),
    'the other is being deleted': world(vip(), eip('out', '10.1.0.5', GOING)),
    'the other only requests the address': world(
      vip(),
      object('OvnEip', 'out', { spec: { externalSubnet: 'external', v4Ip: '10.1.0.5' } }),
    ),
    'it only requests the address': world(
      object('Vip', 'front', { spec: { subnet: 'external', v4ip: '10.1.0.5' } }),
      eip(),
    ),
    'an IP object has it: that is another finding': world(
      vip(),
      ip('web-0.shop', { subnet: 'external', v4IpAddress: '10.1.0.5' }),
    ),
  },
  violation: {
    'an OvnEip has its address': {
      given: world(vip(), eip()),
      summary: said('OvnEip out'),
      parts: ['status=10.1.0.5'],
      concerns: ['out'],
    },
    'an OvnEip of its name has it': {
      given: world(vip(), eip('front')),
      summary: said('OvnEip front', ', whose equal names are one entry in the IPAM'),
    },
    'two others have it': {
      given: world(vip(), eip(), iptables()),
      summary: said('IptablesEIP gw, OvnEip out'),
    },
    'an older Vip has it': {
      given: world(
        vip('front', '10.1.0.5', { creationTimestamp: '2026-01-02T00:00:00Z' }),
        vip('back', '10.1.0.5', { creationTimestamp: '2026-01-01T00:00:00Z' }),
      ),
      summary: said('Vip back'),
    },
    'both have an IPv6 address': {
      given: world(
        object('Vip', 'front', { spec: { subnet: 'external' }, status: { v6ip: 'fd00::5' } }),
        object('OvnEip', 'out', {
          spec: { externalSubnet: 'external' },
          status: { v6Ip: 'fd00::5' },
        }),
      ),
      summary: said('OvnEip out').replace('10.1.0.5', 'fd00::5'),
    },
  },
});
