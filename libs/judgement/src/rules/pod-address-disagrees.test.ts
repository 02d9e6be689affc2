import { ip, logicalSwitch, pod, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './pod-address-disagrees';

const KEY = 'ovn.kubernetes.io/ip_address';
const web = (address = '10.17.0.10', over: Record<string, unknown> = {}) =>
  pod('shop/web-0', {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/logical_switch': 'apps',
        [KEY]: address,
      },
    },
    ...over,
  });
const at = (...addresses: string[]) => port('web-0.shop', { addresses });
const record = (v4IpAddress: string, spec: Record<string, unknown> = {}, metadata = {}) =>
  ip('web-0.shop', { v4IpAddress, ipAddress: v4IpAddress, ...spec }, { metadata });
const ours = at('0a:00:00:00:00:01 10.17.0.10');
const another = at('0a:00:00:00:00:01 10.17.0.11');
const apps = logicalSwitch();
const says = (...others: string[]) =>
  `pod shop/web-0 has 10.17.0.10 by its annotation ${KEY}, and ${others.join(', and ')}`;

testRule(rule, {
  healthy: {
    'all have one address': world(apps, web(), record('10.17.0.10'), ours),
    'one has a family more': world(
      apps,
      web(),
      record('10.17.0.10', { v6IpAddress: 'fd00::10' }),
      at('0a:00:00:00:00:01 10.17.0.10 fd00::10'),
    ),
    'they spell it in different ways': world(
      apps,
      web('10.17.0.10, FD00:0::10'),
      record('10.17.0.10', { v6IpAddress: 'fd00::10' }),
      at('0a:00:00:00:00:01 10.17.0.10 fd00::0010', 'unknown'),
    ),
    'its record is being deleted: that is another finding': world(
      apps,
      web(),
      record('10.17.0.11', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ours,
    ),
    'neither its record nor its port is there: those are other findings': world(apps, web()),
    'its port says no address': world(apps, web(), record('10.17.0.10'), at('unknown')),
    'two ports have the name': world(
      apps,
      web(),
      record('10.17.0.10'),
      another,
      port('web-0.shop', { uid: 'twin' }),
    ),
    'the port is virtual': world(
      apps,
      web(),
      port('web-0.shop', { type: 'virtual', addresses: ['0a:00:00:00:00:01 10.17.0.11'] }),
    ),
    "the port is somebody else's": world(
      apps,
      web(),
      port('web-0.shop', { external_ids: {}, addresses: ['0a:00:00:00:00:01 10.17.0.11'] }),
    ),
    'its annotation cannot be read': world(apps, web('10.17.0'), record('10.17.0.11'), another),
    'it does not run yet': world(
      apps,
      web('10.17.0.10', { status: { phase: 'Pending' } }),
      record('10.17.0.11'),
      another,
    ),
    'it completed': world(
      apps,
      web('10.17.0.10', { status: { phase: 'Succeeded' } }),
      record('10.17.0.11'),
    ),
  },
  violation: {
    'its record has another address': {
      given: world(apps, web(), record('10.17.0.11'), ours),
      summary: says('IP web-0.shop has 10.17.0.11'),
      parts: [`metadata.annotations=${KEY}`],
      concerns: ['web-0.shop'],
    },
    'its port has another address': {
      given: world(apps, web(), record('10.17.0.10'), another),
      summary: says('port web-0.shop has 10.17.0.11'),
    },
    'its annotation was changed': {
      given: world(apps, web(), record('10.17.0.11'), another),
      summary: says('IP web-0.shop has 10.17.0.11', 'port web-0.shop has 10.17.0.11'),
      concerns: ['web-0.shop', 'web-0.shop'],
    },
    'its record has another address of one of two families': {
      given: world(
        apps,
        web('10.17.0.10,fd00::10'),
        record('10.17.0.10', { v6IpAddress: 'fd00::11' }),
        at('0a:00:00:00:00:01 10.17.0.10 fd00::10'),
      ),
      summary: `pod shop/web-0 has 10.17.0.10,fd00::10 by its annotation ${KEY}, and IP web-0.shop has fd00::11`,
    },
  },
});
