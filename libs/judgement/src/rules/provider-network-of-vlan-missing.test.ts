import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './provider-network-of-vlan-missing';

const vlan = (provider?: string, metadata: Record<string, unknown> = {}) =>
  object('Vlan', 'v7', {
    spec: { id: 7, ...(provider === undefined ? {} : { provider }) },
    metadata,
  });

testRule(rule, {
  healthy: {
    'the provider network exists': world(vlan('net1'), object('ProviderNetwork', 'net1')),
    'it is being deleted itself': world(
      vlan('net1', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'the controller did not name one yet': world(vlan(), vlan('')),
  },
  unknown: {
    'provider networks are not listed': world(vlan('net1')).unheardOf('ProviderNetwork'),
  },
  violation: {
    'the provider network is gone': {
      given: world(vlan('net1'), object('ProviderNetwork', 'net2')),
      summary: 'Vlan v7 is of ProviderNetwork net1, which does not exist',
    },
  },
});
