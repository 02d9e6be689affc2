import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-ovn-eip-address';

const SPEC = { externalSubnet: 'external' };
const older = { creationTimestamp: '2026-01-01T00:00:00Z' };
const younger = { creationTimestamp: '2026-01-02T00:00:00Z' };
const eip = (name: string, v4Ip: string, metadata: Record<string, unknown> = {}) =>
  object('OvnEip', name, { metadata, spec: SPEC, status: { v4Ip } });
const other = (name: string) =>
  object('IptablesEIP', name, { metadata: older, spec: SPEC, status: { ip: '10.1.0.5' } });
const vip = object('Vip', 'front', { spec: { subnet: 'external' }, status: { v4ip: '10.1.0.5' } });

testRule(rule, {
  healthy: {
    'nobody has its address': world(eip('out', '10.1.0.6'), other('gw')),
    'a Vip has it: the finding is on that': world(eip('out', '10.1.0.5'), vip),
    'it has none yet': world(object('OvnEip', 'out', { spec: SPEC }), other('gw')),
  },
  violation: {
    'an IptablesEIP has it': {
      given: world(eip('out', '10.1.0.5', younger), other('gw')),
      says: '10.1.0.5 of subnet external is given to OvnEip out and to IptablesEIP gw: deleting either frees it under the other',
      concerns: ['gw'],
    },
    'an older one of its kind has it': {
      given: world(eip('out', '10.1.0.5', younger), eip('back', '10.1.0.5', older)),
      says: '10.1.0.5 of subnet external is given to OvnEip out and to OvnEip back: deleting either frees it under the other',
    },
  },
});
