import { chassis, databasePair, object, readyNode, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './chassis-at-risk';

const both = databasePair();
const controller = (
  flags: readonly string[] = ['--gc-interval=360'],
  release = '',
  metadata: Record<string, unknown> = {},
) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags, release } } },
    metadata,
  });
const foreign = (name: string, columns: Record<string, unknown> = {}) =>
  row('Chassis', name, { hostname: `${name}.example.net`, ...columns });
const gateway = foreign('net-gw-1');

testRule(rule, {
  healthy: {
    'every chassis is a node’s': world(...both, controller(), chassis(), readyNode()),
    'one of a node is not tagged yet': world(
      ...both,
      controller(),
      chassis('worker-1', { external_ids: {} }),
      readyNode(),
    ),
    'a node of another name has it': world(
      ...both,
      controller(),
      gateway,
      readyNode('worker-1', { annotations: { 'ovn.kubernetes.io/chassis': 'net-gw-1' } }),
    ),
    'the controller collects nothing': world(...both, controller(['--gc-interval=0']), gateway),
    'nothing says how the controller was started': world(...both, controller([]), gateway),
    'the controller is being deleted': world(
      ...both,
      controller(undefined, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      gateway,
    ),
    'it is another Deployment': world(...both, object('Deployment', 'shop/web'), gateway),
  },
  unknown: {
    'the Southbound is that of another network': world(...databasePair({}), controller(), gateway),
  },
  violation: {
    'there is a gateway of others': {
      given: world(...both, controller(), gateway, chassis(), readyNode()),
      summary:
        "Kube-OVN's controller kube-system/kube-ovn-controller deletes 1 chassis of others: net-gw-1.example.net",
    },
    'by the default of its release': {
      given: world(
        ...both,
        controller([], 'v1.14.41'),
        foreign('a', { other_config: { 'is-remote': 'true' } }),
      ),
      summary:
        "Kube-OVN's controller kube-system/kube-ovn-controller deletes 1 chassis of others: a.example.net (another zone)",
    },
    'there are many': {
      given: world(
        ...both,
        controller(),
        ...['a', 'b', 'c', 'd', 'e', 'f'].map((it) => foreign(it)),
      ),
      summary:
        "Kube-OVN's controller kube-system/kube-ovn-controller deletes 6 chassis of others: a.example.net, b.example.net, c.example.net, d.example.net, e.example.net and more",
    },
  },
});
