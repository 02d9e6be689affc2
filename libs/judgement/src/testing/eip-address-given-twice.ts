import type { Rule } from '../rule-kit/rule';
import { type Built, object } from './builders';
import { testRule } from './test-rule';
import { world } from './world-builder';

const SPEC = { externalSubnet: 'external' };
const older = { creationTimestamp: '2026-01-01T00:00:00Z' };
const younger = { creationTimestamp: '2026-01-02T00:00:00Z' };

/**
 * An external address that another has, too, as both kinds have it.
 * @param field of the status, with the address.
 */
export function testEipAddressGivenTwice(
  kind: 'OvnEip' | 'IptablesEIP',
  field: 'v4Ip' | 'ip',
  rule: Rule,
): void {
  const eip = (name: string, address: string, metadata: Record<string, unknown> = {}): Built =>
    object(kind, name, { metadata, spec: SPEC, status: { [field]: address } });
  const other = (name: string): Built =>
    object('IptablesEIP', name, { metadata: older, spec: SPEC, status: { ip: '10.1.0.5' } });
  const vip = object('Vip', 'front', {
    spec: { subnet: 'external' },
    status: { v4ip: '10.1.0.5' },
  });

  testRule(rule, {
    healthy: {
      'nobody has its address': world(eip('out', '10.1.0.6'), other('gw')),
      'a Vip has it: the finding is on that': world(eip('out', '10.1.0.5'), vip),
      'it has none yet': world(object(kind, 'out', { spec: SPEC }), other('gw')),
    },
    violation: {
      'an IptablesEIP has it': {
        given: world(eip('out', '10.1.0.5', younger), other('gw')),
        summary: `10.1.0.5 of subnet external is given to ${kind} out and to IptablesEIP gw: deleting either frees it under the other`,
        concerns: ['gw'],
      },
      'an older one of its kind has it': {
        given: world(eip('out', '10.1.0.5', younger), eip('back', '10.1.0.5', older)),
        summary: `10.1.0.5 of subnet external is given to ${kind} out and to ${kind} back: deleting either frees it under the other`,
      },
    },
  });
}
