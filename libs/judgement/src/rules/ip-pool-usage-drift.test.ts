import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ip-pool-usage-drift';

const pool = (status: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('IPPool', 'pay', {
    spec: { subnet: 'apps', ips: ['10.17.8.10..10.17.8.30'] },
    status: {
      v4AvailableIPs: 19,
      v4AvailableIPRange: '10.17.8.10,10.17.8.13-10.17.8.30',
      v4UsingIPs: 2,
      v4UsingIPRange: '10.17.8.11-10.17.8.12',
      v6AvailableIPs: 0,
      v6AvailableIPRange: '',
      v6UsingIPs: 0,
      v6UsingIPRange: '',
      ...status,
    },
    metadata,
  });

testRule(rule, {
  healthy: {
    'it counts what it lists': world(pool()),
    'it counts in decimals, as from v1.16 on': world(
      pool({ v4UsingIPs: '2.0', v4AvailableIPs: '19' }),
    ),
    'it has no status yet': world(object('IPPool', 'new', { spec: { subnet: 'apps' } })),
    'it lists nothing that can be read': world(pool({ v4UsingIPRange: '10.17.8' })),
    'it does not list them': world(pool({ v4UsingIPs: 5, v4UsingIPRange: undefined })),
    'its count is none': world(pool({ v4UsingIPs: 'many' })),
    'it is being deleted': world(
      pool({ v4UsingIPs: 5 }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
  },
  violation: {
    'it counts more than it lists': {
      given: world(pool({ v4UsingIPs: 5 })),
      summary: 'IPPool pay counts 5 IPv4 addresses in use, and lists 2',
      parts: ['status=v4UsingIPs'],
    },
    'it counts none as available, of either family': {
      given: world(pool({ v4AvailableIPs: 0, v6AvailableIPRange: 'fd00::1-fd00::2' })),
      summary: [
        'IPPool pay counts 0 IPv4 addresses available, and lists 19',
        'IPPool pay counts 0 IPv6 addresses available, and lists 2',
      ],
    },
  },
});
