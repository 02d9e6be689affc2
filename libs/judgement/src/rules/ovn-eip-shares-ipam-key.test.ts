import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ovn-eip-shares-ipam-key';

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const eip = (externalSubnet = 'external', metadata: Record<string, unknown> = {}) =>
  object('OvnEip', 'web', { metadata, spec: { externalSubnet }, status: { v4Ip: '10.1.0.5' } });
const vip = (subnet = 'external', v4ip = '10.1.0.6', metadata: Record<string, unknown> = {}) =>
  object('Vip', 'web', { metadata, spec: { subnet }, status: { v4ip } });
const iptables = (externalSubnet: string) =>
  object('IptablesEIP', 'web', { spec: { externalSubnet }, status: { ip: '10.1.0.7' } });

testRule(rule, {
  healthy: {
    'nobody has its name': world(eip(), object('Vip', 'db', { spec: { subnet: 'external' } })),
    'the namesake is in another subnet': world(eip(), vip('apps'), iptables('wan')),
    'the namesake has no address yet': world(eip(), vip('external', '')),
    'it has none yet': world(
      object('OvnEip', 'web', { spec: { externalSubnet: 'external' } }),
      vip(),
    ),
    'both have the same address: that is another finding': world(
      eip(),
      vip('external', '10.1.0.5'),
    ),
    'it is being deleted': world(eip('external', LEAVING), vip()),
    'the namesake is being deleted': world(eip(), vip('external', '10.1.0.6', LEAVING)),
  },
  violation: {
    'a Vip of its subnet has its name': {
      given: world(eip(), vip()),
      summary:
        "OvnEip web (10.1.0.5) and Vip web (10.1.0.6) share a key in Kube-OVN's memory of subnet external: deleting either frees the address of both",
      concerns: ['web'],
      parts: ['metadata.name=Vip'],
    },
    'a Vip and an IptablesEIP do': {
      given: world(eip(), vip(), iptables('external')),
      summary: [
        "OvnEip web (10.1.0.5) and Vip web (10.1.0.6) share a key in Kube-OVN's memory of subnet external: deleting either frees the address of both",
        "OvnEip web (10.1.0.5) and IptablesEIP web (10.1.0.7) share a key in Kube-OVN's memory of subnet external: deleting either frees the address of both",
      ],
    },
  },
});
