import { logicalSwitch, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './port-on-wrong-switch';

const apps = logicalSwitch();
const other = logicalSwitch('other');
const saying = (ls: string, more: Record<string, string> = {}) =>
  port('web-0.shop', { external_ids: { vendor: 'kube-ovn', ls, pod: 'shop/web-0', ...more } });

testRule(rule, {
  healthy: {
    'its switch is the one it says': world(apps, saying('apps')),
    'it says none': world(apps, saying('')),
    'it has no tag': world(
      apps,
      port('web-0.shop', { external_ids: { ls: 'other', pod: 'shop/web-0' } }),
    ),
    "it is somebody else's": world(apps, saying('other', { 'neutron:port_name': 'x' })),
    "its switch is somebody else's": world(
      logicalSwitch('apps', { external_ids: { 'neutron:network_name': 'x' } }),
      saying('other'),
    ),
    'nothing is known of what holds it': world(saying('other')),
    'two switches hold it': world(
      apps,
      other,
      port('web-0.shop', {
        external_ids: { vendor: 'kube-ovn', ls: 'x', pod: 'shop/web-0' },
        _parents: ['apps', 'other'].map((name) => ({
          kind: 'Logical_Switch',
          uid: `Logical_Switch:${name}`,
          column: 'ports',
        })),
      }),
    ),
  },
  violation: {
    'it says another switch that exists': {
      given: world(apps, other, saying('other')),
      summary: 'port web-0.shop is on switch apps, but says it is on other',
      concerns: ['apps'],
    },
    'it says a switch that is gone': {
      given: world(apps, saying('old')),
      summary: 'port web-0.shop is on switch apps, but says it is on old',
    },
  },
});
