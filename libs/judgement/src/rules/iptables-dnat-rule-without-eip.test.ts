import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './iptables-dnat-rule-without-eip';

const gateway = object('VpcNatGateway', 'gw');
const eip = (name: string, ip: string) => object('IptablesEIP', name, { status: { ip } });
const using = () =>
  object('IptablesDnatRule', 'web', {
    spec: { eip: 'e' },
    status: { ready: true, natGwDp: 'gw', v4ip: '203.0.113.20' },
  });
const says =
  'IptablesDnatRule web has 203.0.113.20 in NAT gateway gw, and IptablesEIP e, which it names, does not exist';

testRule(rule, {
  healthy: {
    'its IptablesEIP exists': world(gateway, using(), eip('e', '203.0.113.20')),
    'its IptablesEIP has another address by now, and it is about to be moved': world(
      gateway,
      using(),
      eip('e', '203.0.113.21'),
    ),
  },
  violation: {
    'its IptablesEIP does not exist': {
      given: world(gateway, using(), eip('other', '203.0.113.21')),
      summary: says,
      concerns: ['gw'],
      noRemedy: true,
    },
    'another one was given the address': {
      given: world(gateway, using(), eip('next', '203.0.113.20')),
      summary: `${says}: IptablesEIP next has that address`,
      concerns: ['gw', 'next'],
      noRemedy: true,
    },
  },
});
