import { ip, logicalSwitch, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-ip-port-mapping';

const MAPPED = { '10.17.0.10': 'web-0.shop:10.17.0.3' };
const balancer = (
  mappings: Record<string, string> = MAPPED,
  vips: Record<string, string> = { '10.96.0.9:80': '10.17.0.11:8080,10.17.0.12:8080' },
  columns: Record<string, unknown> = {},
): Built<'Load_Balancer'> =>
  row('Load_Balancer', 'vpc-blue-tcp-load', {
    protocol: 'tcp',
    options: { prefer_local_backend: 'false' },
    external_ids: { vendor: 'kube-ovn' },
    ip_port_mappings: mappings,
    vips,
    ...columns,
  });
const says =
  'load balancer vpc-blue-tcp-load would check backend 10.17.0.10 from port web-0.shop, and has neither';

testRule(rule, {
  healthy: {
    'its port is there': world(balancer(), logicalSwitch(), port('web-0.shop')),
    'its port is gone, and the record of its address is not': world(balancer(), ip('web-0.shop')),
    'an address still sends to the backend': world(
      balancer(MAPPED, { '10.96.0.9:80': '10.17.0.11:8080, 10.17.0.10:8080' }),
    ),
    'an address still sends to the backend, spelled otherwise': world(
      balancer(
        { '[fd00:17::a]': 'web-0.shop:[fd00:17::3]' },
        { '[fd00:96::9]:80': '[fd00:17:0::a]:8080' },
      ),
    ),
    'it maps nothing': world(balancer({})),
    "its balancer is somebody else's": world(balancer(MAPPED, {}, { external_ids: {} })),
    "its balancer is Octavia's": world(
      balancer(MAPPED, {}, { external_ids: { vendor: 'kube-ovn', 'octavia:pool_id': 'x' } }),
    ),
    'it names no port': world(balancer({ '10.17.0.10': '' })),
    'it is of no address': world(balancer({ '^BACKEND': 'web-0.shop:10.17.0.3' })),
    'the balancer sends nowhere, and the port is there': world(
      balancer(MAPPED, { '10.96.0.9:80': '' }),
      logicalSwitch(),
      port('web-0.shop'),
    ),
  },
  unknown: {
    'the balancer sends to what is no address': world(
      balancer(MAPPED, { '10.96.0.9:80': '^BACKENDS' }),
    ),
    'records of addresses are not listed': world(balancer()).unheardOf('IP'),
  },
  violation: {
    'port and backend are gone': {
      given: world(balancer()),
      summary: says,
      parts: ['ip_port_mappings=10.17.0.10'],
    },
    'the balancer sends nowhere': {
      given: world(balancer(MAPPED, { '10.96.0.9:80': '' })),
      summary: says,
    },
    'two of three are gone': {
      given: world(
        balancer({
          ...MAPPED,
          '10.17.0.11': 'web-1.shop:10.17.0.3',
          '[fd00:17::a]': 'web-2.shop:[fd00:17::3]',
        }),
        logicalSwitch(),
        port('web-1.shop'),
      ),
      summary: [
        says,
        'load balancer vpc-blue-tcp-load would check backend [fd00:17::a] from port web-2.shop, and has neither',
      ],
      parts: ['ip_port_mappings=10.17.0.10', 'ip_port_mappings=[fd00:17::a]'],
    },
  },
});
