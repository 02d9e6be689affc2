import { logicalSwitch, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './duplicate-port-address';

const apps = logicalSwitch();
const at = (...addresses: string[]) => ({ addresses });
const first = port('a.shop', at('0a:00:00:00:00:01 10.17.0.10 fd00::10'));

testRule(rule, {
  healthy: {
    'the addresses differ': world(apps, first, port('b.shop', at('0a:00:00:00:00:02 10.17.0.11'))),
    'the same address is on another switch': world(
      apps,
      logicalSwitch('other'),
      first,
      port('b.shop', { ls: 'other', ...at('0a:00:00:00:00:02 10.17.0.10') }),
    ),
    'a virtual port shares the address with the one that holds it': world(
      apps,
      first,
      port('vip', { type: 'virtual', ...at('0a:00:00:00:00:02 10.17.0.10') }),
    ),
    'the other is a router port': world(
      apps,
      first,
      port('apps-r', { type: 'router', ...at('router') }),
    ),
    'neither says an address': world(
      apps,
      port('a.shop', at('unknown')),
      port('b.shop', at('unknown')),
      port('c.shop', at()),
      port('d.shop', at('dynamic')),
    ),
    'the same port says it twice': world(
      apps,
      port('a.shop', at('0a:00:00:00:00:01 10.17.0.10', '0a:00:00:00:00:02 10.17.0.10')),
    ),
    'its address cannot be read': world(
      apps,
      first,
      port('b.shop', at('0a:00:00:00:00:02 10.17.0.x')),
    ),
  },
  violation: {
    'two ports have it': {
      given: world(apps, first, port('b.shop', at('0a:00:00:00:00:02 10.17.0.10'))),
      summary: 'ports a.shop and b.shop both have 10.17.0.10 on switch apps',
      concerns: ['a.shop'],
      parts: ['addresses=10.17.0.10'],
    },
    'the IPv6 address is written in another way': {
      given: world(apps, first, port('b.shop', at('0a:00:00:00:00:02 FD00:0::0010'))),
      summary: 'ports a.shop and b.shop both have fd00::10 on switch apps',
      parts: ['addresses=fd00::10'],
    },
    'both addresses are shared': {
      given: world(apps, first, port('b.shop', at('0a:00:00:00:00:02 10.17.0.10 fd00::10'))),
      summary: [
        'ports a.shop and b.shop both have 10.17.0.10 on switch apps',
        'ports a.shop and b.shop both have fd00::10 on switch apps',
      ],
    },
    'three ports have it': {
      given: world(
        apps,
        first,
        port('b.shop', at('0a:00:00:00:00:02 10.17.0.10')),
        port('c.shop', at('0a:00:00:00:00:03 10.17.0.10')),
      ),
      summary: [
        'ports a.shop and b.shop both have 10.17.0.10 on switch apps',
        'ports a.shop and c.shop both have 10.17.0.10 on switch apps',
      ],
    },
    'one of them was made by hand': {
      given: world(
        apps,
        first,
        port('by-hand', { external_ids: {}, ...at('0a:00:00:00:00:02 10.17.0.10') }),
      ),
      summary: 'ports a.shop and by-hand both have 10.17.0.10 on switch apps',
    },
  },
});
