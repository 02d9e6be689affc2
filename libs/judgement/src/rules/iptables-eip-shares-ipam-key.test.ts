import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './iptables-eip-shares-ipam-key';

const eip = (spec: Record<string, unknown> = {}) =>
  object('IptablesEIP', 'web', { spec, status: { ip: '10.1.0.5' } });
const vip = (subnet: string) =>
  object('Vip', 'web', { spec: { subnet }, status: { v4ip: '10.1.0.6' } });

testRule(rule, {
  healthy: {
    'no Vip has its name': world(eip(), object('Vip', 'db')),
    'the Vip is in another subnet': world(eip(), vip('apps')),
    'it is another kind that has its name: that is the finding of the other': world(
      eip({ externalSubnet: 'wan' }),
      object('OvnEip', 'web', { spec: { externalSubnet: 'wan' }, status: { v4Ip: '10.1.0.7' } }),
    ),
  },
  violation: {
    'a Vip of its subnet has its name': {
      given: world(eip({ externalSubnet: 'wan' }), vip('wan')),
      summary:
        "IptablesEIP web (10.1.0.5) and Vip web (10.1.0.6) share a key in Kube-OVN's memory of subnet wan: deleting either frees the address of both",
      parts: ['metadata.name=Vip'],
    },
    'it names no subnet, and so has an address of the usual one': {
      given: world(eip(), vip('ovn-vpc-external-network')),
      summary:
        "IptablesEIP web (10.1.0.5) and Vip web (10.1.0.6) share a key in Kube-OVN's memory of subnet ovn-vpc-external-network: deleting either frees the address of both",
    },
  },
});
