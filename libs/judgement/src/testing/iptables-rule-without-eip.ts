import type { GatewayRuleKind } from '../rule-kit/gateway-deletion';
import type { Rule } from '../rule-kit/rule';
import { object } from './builders';
import { testRule } from './test-rule';
import { world } from './world-builder';

const gateway = object('VpcNatGateway', 'gw');
const eip = (name: string, ip: string) => object('IptablesEIP', name, { status: { ip } });
const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** A rule of a NAT gateway that has an address and no IptablesEIP, as all three kinds have it. */
export function testIptablesRuleWithoutEip(kind: GatewayRuleKind, rule: Rule): void {
  const using = (spec = {}, status = {}, metadata = {}) =>
    object(kind, 'web', {
      metadata,
      spec: { eip: 'e', ...spec },
      status: { ready: true, natGwDp: 'gw', v4ip: '203.0.113.20', ...status },
    });
  const summary = `${kind} web has 203.0.113.20 in NAT gateway gw, and IptablesEIP e, which it names, does not exist`;

  testRule(rule, {
    healthy: {
      'its IptablesEIP exists': world(gateway, using(), eip('e', '203.0.113.20')),
      'its IptablesEIP has another address by now, and it is about to be moved': world(
        gateway,
        using(),
        eip('e', '203.0.113.21'),
      ),
      'it is being deleted': world(gateway, using({}, {}, terminating)),
      'it names none': world(gateway, using({ eip: '' })),
      'it got no address yet': world(gateway, using({}, { v4ip: '' })),
      'its gateway is gone, and all that was in it': world(using()),
      'it was just made': world(gateway, object(kind, 'web', { spec: { eip: 'e' } })),
    },
    violation: {
      'its IptablesEIP does not exist': {
        given: world(gateway, using(), eip('other', '203.0.113.21')),
        summary,
        concerns: ['gw'],
        noRemedy: true,
      },
      'it was changed to name one that is not made yet': {
        given: world(gateway, using({ eip: 'new' }), eip('old', '203.0.113.20')),
        summary: `${kind} web has 203.0.113.20 in NAT gateway gw, and IptablesEIP new, which it names, does not exist: IptablesEIP old has that address`,
        concerns: ['gw', 'old'],
      },
      'its gateway is known by its label alone': {
        given: world(
          gateway,
          object(kind, 'web', {
            metadata: { labels: { 'ovn.kubernetes.io/vpc-nat-gw-name': 'gw' } },
            spec: { eip: 'e' },
            status: { v4ip: '203.0.113.20' },
          }),
        ),
        summary,
      },
      'another one was given the address': {
        given: world(gateway, using(), eip('next', '203.0.113.20')),
        summary: `${summary}: IptablesEIP next has that address`,
        concerns: ['gw', 'next'],
        noRemedy: true,
      },
    },
  });
}
