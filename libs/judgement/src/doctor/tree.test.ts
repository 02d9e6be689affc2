import { ip, logicalSwitch, object, pod, port } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Entity } from '../world/entity';
import { describeEntity } from '../kube-ovn/deletion';
import { allStuck, type DiagnosisNode, treeOf, treesOf } from './tree';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const vpc = object('Vpc', 'tenant', { metadata: going });
const subnet = (name = 'apps') =>
  object('Subnet', name, {
    metadata: going,
    spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/24' },
    status: { v4usingIPs: 1 },
  });
const running = object('Deployment', 'kube-system/kube-ovn-controller');

/** `Vpc tenant > Subnet apps > IP x`, one line for each leaf. */
function lines(node: DiagnosisNode, above = ''): string[] {
  const name = `${above}${describeEntity(node.entity)}${node.again ? ' again' : ''}`;
  const below = node.waits.flatMap(({ of, more }) => [
    ...of.flatMap((it) => lines(it, `${name} > `)),
    ...(more > 0 ? [`${name} > ${more} more`] : []),
  ]);
  return below.length > 0 ? below : [name];
}

const drawn = (given: ReturnType<typeof world>, kind: string, key: string): DiagnosisNode => {
  const folded = given.fold();
  return treeOf(folded.byKey(kind, key)[0] as Entity, folded);
};

test('goes down to what waits for nothing', () => {
  const tree = drawn(
    world(
      running,
      vpc,
      subnet(),
      logicalSwitch(),
      ip('web-0.shop', {}, { metadata: going }),
      port(),
    ),
    'Vpc',
    'tenant',
  );
  expect(lines(tree)).toEqual([
    'Vpc tenant > Subnet apps > IP web-0.shop > Logical_Switch_Port web-0.shop',
  ]);
  expect(tree).toMatchObject({
    state: 'terminating',
    since: '2026-01-01T00:00:00Z',
    rule: 'stuck-vpc-deletion',
  });
});

test('says of what is not being deleted whether it is leaked, or which pod has it', () => {
  const leaked = drawn(world(running, subnet(), ip('gone-0.lost')), 'Subnet', 'apps').waits[0]!
    .of[0]!;
  expect(leaked).toMatchObject({
    state: 'there',
    rule: 'leaked-ip',
    remedy: { action: 'delete-ip' },
  });
  const used = drawn(
    world(running, subnet(), ip('web-0.shop'), pod('shop/web-0')),
    'Subnet',
    'apps',
  ).waits[0]!.of[0]!;
  expect(used).toMatchObject({ state: 'there', waits: [{ because: 'Pod shop/web-0 has it' }] });
  expect(used.remedy).toBeUndefined();
  const ending = pod('shop/web-0', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  const [wait] = drawn(world(running, subnet(), ip('web-0.shop'), ending), 'Subnet', 'apps')
    .waits[0]!.of[0]!.waits;
  expect(wait?.because).toBe(
    'Pod shop/web-0, whose deletion began at 2026-01-01T00:00:00Z, has it',
  );
  expect(wait).not.toHaveProperty('run');
});

test('draws nothing twice, so that a circle ends', () => {
  const gateway = object('VpcNatGateway', 'gw', { metadata: going, spec: { qosPolicy: 'slow' } });
  const policy = object('QoSPolicy', 'slow', { metadata: going });
  const folded = world(
    gateway,
    policy,
    subnet('a'),
    subnet('b'),
    vpc,
    object('IptablesEIP', 'e', { metadata: going, spec: { qosPolicy: 'slow', natGwDp: 'gw' } }),
  ).fold();
  const all = treesOf(allStuck(folded), folded);
  const names = all.flatMap((it) => lines(it)).filter((it) => !it.endsWith('again'));
  expect(names).toEqual([
    'Vpc tenant > Subnet a',
    'Vpc tenant > Subnet b',
    'QoSPolicy slow > IptablesEIP e > VpcNatGateway gw',
  ]);
});

test('stays small: thousands of addresses are counted, not drawn', () => {
  const many = Array.from({ length: 60 }, (_, nth) => ip(`p-${String(nth).padStart(3, '0')}.shop`));
  const tree = drawn(world(running, subnet(), ...many), 'Subnet', 'apps');
  expect(tree.waits[0]!.of).toHaveLength(20);
  expect(tree.waits[0]!.more).toBe(30);
});

test('does not say what it cannot know', () => {
  const tree = drawn(world(running, subnet(), ip('web-0.shop')).unlisted('Vip'), 'Subnet', 'apps');
  expect(tree).toMatchObject({
    state: 'terminating',
    waits: [],
    unknown: expect.stringContaining('Vip'),
  });
});

test('all that is stuck: what is being deleted and is held', () => {
  const folded = world(
    vpc,
    subnet(),
    object('Vip', 'fine'),
    object('Vip', 'about-to-go', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    object('Vip', 'stuck', { metadata: going }),
  ).fold();
  expect(allStuck(folded).map(describeEntity)).toEqual(['Vpc tenant', 'Subnet apps', 'Vip stuck']);
});
