import { binding, chassis, databasePair, object, pod, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './port-down';

const node = (status = 'True', metadata: Record<string, unknown> = {}) =>
  object('Node', 'worker-1', {
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'True' },
        { type: 'Ready', status },
      ],
    },
    metadata,
  });
const annotations = (provider = 'ovn', more: Record<string, string> = {}) => ({
  [`${provider}.kubernetes.io/allocated`]: 'true',
  [`${provider}.kubernetes.io/logical_switch`]: 'apps',
  ...more,
});
const running = (over: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  pod('shop/web-0', { metadata: { annotations: annotations(), ...metadata }, ...over });
const another = port('web-1.shop', { up: true });
const down = (columns: Record<string, unknown> = {}) =>
  port('web-0.shop', { up: false, ...columns });
const ofMachine = port('vm.shop', {
  up: false,
  external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/vm' },
});
const launcher = (name: string, over: Record<string, unknown> = {}) =>
  pod(`shop/${name}`, {
    metadata: { annotations: annotations('ovn', { 'ovn.kubernetes.io/virtualmachine': 'vm' }) },
    ...over,
  });
const hotPlugged = port('vm.shop.data.shop.ovn', {
  up: false,
  external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/vm' },
});
const launcherOf = (status: string, provider = 'data.shop.ovn') =>
  pod('shop/launcher', {
    metadata: {
      annotations: annotations(provider, {
        [`${provider}.kubernetes.io/virtualmachine`]: 'vm',
        'ovn.kubernetes.io/virtualmachine': 'vm',
        'k8s.v1.cni.cncf.io/network-status': status,
      }),
    },
  });
const says = 'port web-0.shop of running pod shop/web-0 is down, and its node worker-1 is ready';

testRule(rule, {
  healthy: {
    'it is up': world(another, node(), running(), down({ up: true })),
    'nobody says whether it is up': world(another, node(), running(), port('web-0.shop')),
    'no port is up at all, as where nothing binds ports': world(node(), running(), down()),
    'its pod does not run yet': world(
      another,
      node(),
      running({ status: { phase: 'Pending' } }),
      down(),
    ),
    'its pod completed': world(
      another,
      node(),
      running({ status: { phase: 'Succeeded' } }),
      down(),
    ),
    'its pod is being deleted': world(
      another,
      node(),
      running({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      down(),
    ),
    'its pod is gone, its address is kept': world(another, node(), down()),
    'its pod is connected otherwise': world(
      another,
      node(),
      running({}, { annotations: annotations('data.shop.ovn') }),
      down(),
    ),
    'the node is not ready': world(another, node('Unknown'), running(), down()),
    'the node is gone': world(another, running(), down()),
    'it is a virtual port': world(another, node(), running(), down({ type: 'virtual' })),
    "it is somebody else's": world(
      another,
      node(),
      running(),
      down({ external_ids: { pod: 'shop/web-0' } }),
    ),
    'it says of no pod': world(
      another,
      node(),
      running(),
      down({ external_ids: { vendor: 'kube-ovn', ls: 'apps' } }),
    ),
    'its machine is halted': world(another, node(), ofMachine),
    'its machine migrates': world(another, node(), ofMachine, launcher('a'), launcher('b')),
    'it is asked for by a chassis': world(
      another,
      node(),
      running(),
      down({ options: { 'requested-chassis': 'worker-1,worker-2' } }),
    ),
    'its network was added to the running machine and is not plugged in yet': world(
      another,
      node(),
      hotPlugged,
      launcherOf('[{"name":"ovn-default","interface":"eth0"}]'),
    ),
    'one of two interfaces on its network is not plugged in yet': world(
      another,
      node(),
      { ...hotPlugged, name: `${hotPlugged.name}.net2` },
      launcherOf('[{"name":"shop/data","interface":"net1"}]', 'data.shop.ovn.net2'),
    ),
    'what it is attached to cannot be read': world(
      another,
      node(),
      hotPlugged,
      launcherOf('[{"name":'),
    ),
  },
  violation: {
    'Multus attached its network': {
      given: world(
        another,
        node(),
        hotPlugged,
        launcherOf('[{"name":"ovn-default"},null,{"name":"shop/data","interface":"pod1"}]'),
      ),
      summary:
        'port vm.shop.data.shop.ovn of running pod shop/launcher is down, and its node worker-1 is ready',
    },
    'Multus says nothing of its networks': {
      given: world(another, node(), hotPlugged, launcherOf('')),
      summary:
        'port vm.shop.data.shop.ovn of running pod shop/launcher is down, and its node worker-1 is ready',
    },
    'its pod runs': {
      given: world(another, node(), running(), down()),
      summary: says,
      concerns: ['web-0'],
    },
    'the Southbound says that it is bound nowhere': {
      given: world(
        another,
        node(),
        running(),
        down(),
        ...databasePair(),
        binding('web-0.shop', ''),
      ),
      summary: says,
      concerns: ['web-0', 'web-0.shop'],
      proof: expect.arrayContaining([
        expect.objectContaining({ fact: 'value', path: 'chassis', value: '' }),
      ]) as never,
    },
    'the Southbound says where it is bound': {
      given: world(
        another,
        node(),
        running(),
        down(),
        ...databasePair(),
        binding('web-0.shop', 'worker-2'),
        chassis('worker-2'),
      ),
      summary: says,
      concerns: ['web-0', 'web-0.shop'],
      proof: expect.arrayContaining([
        expect.objectContaining({ fact: 'value', path: 'hostname', value: 'worker-2' }),
      ]) as never,
    },
    'the Southbound is that of another network': {
      given: world(
        another,
        node(),
        running(),
        down(),
        ...databasePair({}),
        binding('web-0.shop', 'worker-2'),
      ),
      summary: says,
      concerns: ['web-0'],
    },
    'it is the port of an attachment': {
      given: world(
        another,
        node(),
        running({}, { annotations: annotations('data.shop.ovn') }),
        port('web-0.shop.data.shop.ovn', { up: false }),
      ),
      summary:
        'port web-0.shop.data.shop.ovn of running pod shop/web-0 is down, and its node worker-1 is ready',
    },
    'it is of a machine that runs': {
      given: world(
        another,
        node(),
        ofMachine,
        launcher('a'),
        launcher('b', { status: { phase: 'Succeeded' } }),
      ),
      summary: 'port vm.shop of running pod shop/a is down, and its node worker-1 is ready',
    },
  },
});
