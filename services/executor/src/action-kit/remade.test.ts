import { manifestOf } from '@ovn-steward/systems/kubernetes/manifest';
import { kubeOvnObject, signal } from '../testing/action-cases';
import { addressController } from '../testing/address-controller';
import { memoryActionCluster } from '../testing/action-cluster';
import { isRemadeKind, notRestored, type RemadeKind, recreation } from './remade';

type Manifest = Parameters<typeof recreation>[1];

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeEach(async () => {
  cluster = await memoryActionCluster();
  cluster.kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps' }, spec: { provider: 'ovn' } });
  cluster.kubernetes.put({
    kind: 'Subnet',
    metadata: { name: 'data' },
    spec: { provider: 'data-net.shop.ovn' },
  });
});

/** As the API server gave it when it was recorded. */
const ip = (
  name: string,
  spec: Readonly<Record<string, unknown>> = {},
  metadata: Readonly<Record<string, unknown>> = {},
): Manifest =>
  manifestOf('IP', {
    ...(kubeOvnObject(
      'IP',
      name,
      {
        podName: 'redis-1',
        namespace: 'shop',
        podType: 'StatefulSet',
        subnet: 'apps',
        ipAddress: '10.17.0.15',
        v4IpAddress: '10.17.0.15',
        v6IpAddress: '',
        macAddress: '0a:00:00:00:00:01',
        nodeName: 'worker-1',
        attachIps: [],
        attachMacs: [],
        attachSubnets: [],
        ...spec,
      },
      metadata,
    ) as never as Parameters<typeof manifestOf>[1]),
  });
const anew = (kind: RemadeKind, manifest: Manifest) =>
  recreation(kind, manifest, cluster.kubernetes, signal);

describe('an IP', () => {
  test('as it was recorded is passed over, and a pod that asks for its address gets it', () => {
    const controller = addressController();
    controller.notice(ip('redis-1.shop') as never);
    expect(controller.ask('shop/thief', '10.17.0.15')).toBe('10.17.0.15');
    expect(controller.any('shop/redis-1', '10.17.0.16')).toBe('10.17.0.16');
  });

  test('that comes back keeps its address from others and for its pod, and gets its finalizer', async () => {
    const controller = addressController();
    const { manifest, losses } = await anew('IP', ip('redis-1.shop'));
    expect(controller.notice(manifest as never)).toEqual(['kubeovn.io/kube-ovn-controller']);
    expect(controller.ask('shop/thief', '10.17.0.15')).toBeUndefined();
    expect(controller.any('shop/redis-1', '10.17.0.16')).toBe('10.17.0.15');
    expect(losses).toEqual([]);
  });

  test('is otherwise as it was', async () => {
    const recorded = ip('redis-1.shop', { attachIps: ['10.18.0.4'] });
    const { manifest } = await anew('IP', recorded);
    const { finalizers: _, ...metadata } = recorded['metadata'] as Record<string, unknown>;
    const {
      attachMacs: _macs,
      attachSubnets: _subnets,
      ...spec
    } = recorded['spec'] as Record<string, unknown>;
    expect(manifest).toEqual({ ...recorded, metadata, spec });
  });

  test.each<[string, Manifest]>([
    ['of an attached network', ip('redis-1.shop.data-net.shop.ovn', { subnet: 'data' })],
    ['of a machine', ip('redis-1.shop', { podType: 'VirtualMachine' })],
    ['of a pod of no set', ip('redis-1.shop', { podType: '' })],
    ['of an older release', ip('redis-1.shop', {}, { finalizers: ['kube-ovn-controller'] })],
  ])('%s loses nothing', async (_, recorded) => {
    const { manifest, losses } = await anew('IP', recorded);
    expect(losses).toEqual([]);
    expect(manifest['metadata']).not.toHaveProperty('finalizers');
  });

  test.each<[string, Manifest]>([
    ['of a named interface', ip('redis-1.shop.data-net.shop.ovn.net7', { subnet: 'data' })],
    ['of a node', ip('node-worker-1', { podName: 'worker-1', namespace: '', podType: '' })],
    ['of an unknown subnet', ip('redis-1.shop', { subnet: 'nowhere' })],
    ['of another type', ip('redis-1.shop', { podType: 'Job' })],
    ['somebody else waits for', ip('redis-1.shop', {}, { finalizers: ['example.com/mine'] })],
  ])(
    '%s comes back as it was, and it is said that nobody takes notice of it',
    async (_, recorded) => {
      const { manifest, losses } = await anew('IP', recorded);
      expect(manifest).toEqual(recorded);
      expect(losses).toEqual([
        expect.stringContaining('takes no notice of it until it starts again'),
      ]);
      expect(await notRestored('IP', recorded, cluster.kubernetes, signal)).toEqual(losses);
    },
  );
});

test('a Vip of a balancer leaves out the MAC address, which is that of the router; another keeps its own', async () => {
  const vip = (type: string): Manifest =>
    kubeOvnObject('Vip', 'web', { subnet: 'apps', type, v4ip: '10.17.0.9', macAddress: 'aa' });
  expect((await anew('Vip', vip('switch_lb_vip'))).manifest['spec']).toEqual({
    subnet: 'apps',
    type: 'switch_lb_vip',
    v4ip: '10.17.0.9',
  });
  expect(await anew('Vip', vip(''))).toEqual({ manifest: vip(''), losses: [] });
});

test('the router port of an OvnEip does not come back, and what undo never makes is said', async () => {
  const eip = (type: string): Manifest => kubeOvnObject('OvnEip', 'e', { type, v4Ip: '192.0.2.1' });
  expect((await anew('OvnEip', eip('nat'))).losses).toEqual([]);
  expect((await anew('OvnEip', eip('lrp'))).losses).toEqual([
    expect.stringContaining('its router port does not come back'),
  ]);
  expect(isRemadeKind('Subnet')).toBe(false);
  expect(await notRestored('Subnet', {}, cluster.kubernetes, signal)).toEqual([
    'objects of kind Subnet are not made again',
  ]);
});

test.each(['IptablesEIP', 'OvnDnatRule'] as const)('%s is taken as it was', async (kind) => {
  const manifest = kubeOvnObject(kind, 'one', { v4ip: '192.0.2.2' });
  expect(await anew(kind, manifest)).toEqual({ manifest, losses: [] });
});
