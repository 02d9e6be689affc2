import { binding, chassis, databasePair, pod, port, readyNode } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './port-bound-elsewhere';

const both = databasePair();
const annotations = {
  'ovn.kubernetes.io/allocated': 'true',
  'ovn.kubernetes.io/logical_switch': 'apps',
};
const running = (over: Record<string, unknown> = {}, name = 'web-0') =>
  pod(`shop/${name}`, { metadata: { annotations }, ...over });
const launcher = (name: string, nodeName = 'worker-1') =>
  pod(`shop/${name}`, {
    metadata: { annotations: { ...annotations, 'ovn.kubernetes.io/virtualmachine': 'vm' } },
    spec: { nodeName },
  });
const nodes = ['worker-1', 'worker-2'].flatMap((it) => [chassis(it), readyNode(it)]);
const there = binding('web-0.shop', 'worker-2');

testRule(rule, {
  healthy: {
    "it is bound on the pod's node": world(...both, ...nodes, running(), port(), binding()),
    'it is bound nowhere': world(...both, ...nodes, running(), port(), binding('web-0.shop', '')),
    'it has no binding yet': world(...both, ...nodes, running(), port()),
    'it is bound to a chassis that is gone': world(
      ...both,
      chassis(),
      readyNode(),
      running(),
      port(),
      there,
    ),
    'the chassis is no node’s, as that of a network card': world(
      ...both,
      chassis(),
      readyNode(),
      chassis('worker-2'),
      running(),
      port(),
      there,
    ),
    'its node has no chassis': world(
      ...both,
      chassis('worker-2'),
      readyNode('worker-2'),
      readyNode(),
      running(),
      port(),
      there,
    ),
    'its node is gone': world(
      ...both,
      chassis(),
      chassis('worker-2'),
      readyNode('worker-2'),
      running(),
      port(),
      there,
    ),
    'the pod does not run yet': world(
      ...both,
      ...nodes,
      running({ status: { phase: 'Pending' } }),
      port(),
      there,
    ),
    'the pod is gone': world(...both, ...nodes, port(), there),
    'its machine migrates': world(
      ...both,
      ...nodes,
      launcher('a'),
      launcher('b', 'worker-2'),
      port('vm.shop'),
      binding('vm.shop', 'worker-2'),
    ),
    'it is bound on two': world(
      ...both,
      ...nodes,
      running(),
      port(),
      binding('web-0.shop', 'worker-2', { additional_chassis: ['Chassis:chassis-of-worker-1'] }),
    ),
    'it is asked for by a chassis': world(
      ...both,
      ...nodes,
      running(),
      port('web-0.shop', { options: { 'requested-chassis': 'worker-2' } }),
      there,
    ),
    'it is a virtual port': world(
      ...both,
      ...nodes,
      running(),
      port('web-0.shop', { type: 'virtual' }),
      there,
    ),
    "it is somebody else's": world(
      ...both,
      ...nodes,
      running(),
      port('web-0.shop', { external_ids: { pod: 'shop/web-0' } }),
      there,
    ),
  },
  unknown: {
    'the Southbound is that of another network': world(
      ...databasePair({}),
      ...nodes,
      running(),
      port(),
      there,
    ),
  },
  violation: {
    'it is bound on another': {
      given: world(...both, ...nodes, running(), port(), there),
      summary:
        'port web-0.shop of pod shop/web-0, which runs on worker-1, is bound on worker-2 (chassis chassis-of-worker-2)',
      concerns: ['web-0', 'web-0.shop'],
    },
    'its machine migrated': {
      given: world(
        ...both,
        ...nodes,
        launcher('a'),
        port('vm.shop'),
        binding('vm.shop', 'worker-2'),
      ),
      summary:
        'port vm.shop of pod shop/a, which runs on worker-1, is bound on worker-2 (chassis chassis-of-worker-2)',
    },
  },
});
