import { ip, logicalSwitch, object, pod, port, row } from '../testing/builders';
import { world } from '../testing/world-builder';
import { controllerIn } from './controller-in';
import { repairsOf } from './order';
import { allStuck, treesOf } from './tree';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const subnet = object('Subnet', 'apps', {
  metadata: going,
  spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/24' },
  status: { v4usingIPs: 1 },
});
const vpc = object('Vpc', 'tenant', { metadata: going });
const running = object('Deployment', 'kube-system/kube-ovn-controller');

const repairs = (given: ReturnType<typeof world>) => {
  const folded = given.fold();
  const trees = treesOf(allStuck(folded), folded).filter((it) => !it.again);
  return repairsOf(trees, controllerIn(folded));
};
const order = (given: ReturnType<typeof world>): string[] =>
  repairs(given).flatMap(({ steps }) => steps.map(({ who, what }) => `${who}: ${what}`));

test('children first, each once, and who does it', () => {
  expect(order(world(running, vpc, subnet, ip('gone-0.lost')))).toEqual([
    expect.stringMatching(/^executor: delete-ip IP gone-0\.lost: /),
    'kube-ovn: finishes Subnet apps by itself once the above is done',
    'kube-ovn: finishes Vpc tenant by itself once the above is done',
  ]);
});

test('without a controller the executor does what it did, last the finalizer', () => {
  expect(
    order(world(vpc, subnet, logicalSwitch(), ip('web-0.shop', {}, { metadata: going }), port())),
  ).toEqual([
    expect.stringMatching(
      /^executor: delete-logical-switch-port Logical_Switch_Port web-0\.shop: /,
    ),
    'executor: frees IP web-0.shop once the above is done, when nothing of it is proven to be left in OVN',
    'executor: frees Subnet apps once the above is done, when nothing of it is proven to be left in OVN',
    'executor: frees Vpc tenant once the above is done, when nothing of it is proven to be left in OVN',
  ]);
});

test('what only a person can do comes first, and is said so', () => {
  const lost = object('Subnet', 'apps', {
    metadata: going,
    spec: { vlan: 'v7', cidrBlock: '10.17.0.0/24' },
    status: { v4usingIPs: 0 },
  });
  expect(order(world(running, lost, logicalSwitch()))).toEqual([
    'person: make Vlan v7 again, as it was, until the Subnet is gone (from v1.16 on also its ProviderNetwork, where that is gone)',
    'kube-ovn: finishes Subnet apps by itself once the above is done',
  ]);
});

test.each([
  [
    'a CIDR that the controller refuses',
    object('Subnet', 'apps', { metadata: going, spec: { cidrBlock: '10.17.0.0/240' } }),
    'correct spec.cidrBlock',
  ],
  [
    'a spec that the controller refuses',
    object('Subnet', 'apps', {
      metadata: going,
      spec: { cidrBlock: '10.17.0.0/24' },
      status: { conditions: [{ type: 'Validated', status: 'False', reason: 'x' }] },
    }),
    'correct its spec',
  ],
  [
    "a NAT that is nobody's",
    object('OvnEip', 'eip', { metadata: going, status: { v4Ip: '198.51.100.9' } }),
    'see whether anybody needs that NAT, and remove it from its router',
  ],
])('only a person can mend %s', (_, hanging, what) => {
  const nat = row('NAT', '', {
    type: 'snat',
    external_ip: '198.51.100.9',
    logical_ip: '10.9.0.0/24',
  });
  expect(order(world(running, hanging, logicalSwitch(), nat))[0]).toBe(`person: ${what}`);
});

test('nobody has to delete the pods of a pool, which hold up nothing', () => {
  const pool = object('IPPool', 'blue', { metadata: going, status: { v4UsingIPs: 2 } });
  expect(order(world(running, pool))).toEqual([
    expect.stringMatching(/^executor: strip-finalizer IPPool blue: change the object /),
  ]);
});

test("an address that a pod has is a person's to decide", () => {
  expect(order(world(running, subnet, ip('web-0.shop'), pod('shop/web-0')))).toEqual([
    'person: delete Pod shop/web-0, or have it recreated in another subnet',
    'kube-ovn: finishes Subnet apps by itself once the above is done',
  ]);
});

test('a person gets a line to copy where there is one', () => {
  const lines = (given: ReturnType<typeof world>) =>
    repairs(given)
      .flatMap(({ steps }) => steps)
      .filter(({ who }) => who === 'person')
      .map(({ run }) => run);
  expect(lines(world(running, subnet, ip('web-0.shop'), pod('shop/web-0')))).toEqual([
    'kubectl delete -n shop pods web-0',
  ]);
  expect(lines(world(running, subnet, logicalSwitch()))).toEqual([
    expect.stringMatching(
      /^echo '.*"kind":"Vip".*"subnet":"apps".* && kubectl delete vips\.kubeovn\.io recount-apps$/,
    ),
  ]);
  expect(
    lines(
      world(
        running,
        object('Subnet', 'apps', {
          metadata: going,
          spec: { vlan: 'v7', cidrBlock: '10.17.0.0/24' },
        }),
      ),
    ),
  ).toEqual([undefined]);
});

test('each tree has its own steps, and ends in what is gone', () => {
  const other = object('Subnet', 'data', {
    metadata: going,
    spec: { cidrBlock: '10.18.0.0/24' },
    status: { v4usingIPs: 1 },
  });
  const all = repairs(world(running, vpc, subnet, other, logicalSwitch(), ip('gone-0.lost')));
  expect(
    all.map(({ root, steps, after, frees }) => [
      root.entity.name,
      steps.length,
      after.length,
      frees.map((it) => it.name),
    ]),
  ).toEqual([
    ['tenant', 3, 0, ['tenant', 'apps']],
    ['data', 2, 0, ['data']],
  ]);
});

test('what two trees need is a step of the first', () => {
  const eip = (name: string) =>
    object('IptablesEIP', name, { metadata: going, spec: { natGwDp: 'gw' } });
  const all = repairs(world(running, eip('a'), eip('b'), object('VpcNatGateway', 'gw', {})));
  const [first, second] = all.map(({ steps }) => steps.map(({ what }) => what));
  expect(first).toEqual([
    expect.stringMatching(/^bring pod .*, or delete VpcNatGateway gw$/),
    expect.stringMatching(
      /^finishes IptablesEIP a by itself once the above is done; if it does not, change the object/,
    ),
  ]);
  expect(second).toEqual([
    expect.stringMatching(/^finishes IptablesEIP b by itself once the above is done; if it/),
  ]);
  expect(all[1]!.after).toEqual([all[0]!.steps[0]]);
});

test('what is drawn above is not said to finish by itself: its own steps come first', () => {
  const folded = world(running, vpc, subnet, ip('gone-0.lost')).fold();
  const roots = [...folded.entities('Vpc'), ...folded.entities('Subnet')];
  const [first, second] = repairsOf(treesOf(roots, folded), controllerIn(folded));
  expect(first!.steps).toHaveLength(3);
  expect(second!.steps).toEqual([]);
  expect(second!.after).toEqual(first!.steps.slice(0, 2));
});

test('what is behind a thing that another tree draws is a step of that tree, and comes before', () => {
  const eip = object('IptablesEIP', 'a', {
    metadata: going,
    spec: { natGwDp: 'gw', externalSubnet: 'apps', qosPolicy: 'slow' },
  });
  const qos = object('QoSPolicy', 'slow', { metadata: going });
  const all = repairs(world(running, subnet, qos, eip, object('VpcNatGateway', 'gw', {})));
  expect(all.map(({ root }) => root.entity.kind)).toEqual(['Subnet', 'QoSPolicy']);
  expect(all[1]!.steps.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^finishes QoSPolicy slow by itself once the above is done/),
  ]);
  expect(all[1]!.after).toEqual(all[0]!.steps.slice(0, 2));
});

test("a querier's address is one step, and the Subnet ends it", () => {
  expect(order(world(running, subnet, ip('mcast-querier.apps')))).toEqual([
    expect.stringMatching(/^executor: delete-ip IP mcast-querier\.apps: /),
    'kube-ovn: finishes Subnet apps by itself once the above is done',
  ]);
});

test('where the finalizer can be proven to be all that is left, no person is sent for', () => {
  const lost = object('OvnSnatRule', 'snat', {
    metadata: going,
    spec: { vpc: 'gone', ovnEip: 'e' },
    status: { vpc: 'gone', v4Eip: '198.51.100.9', v4IpCidr: '10.9.0.0/24' },
  });
  expect(order(world(running, lost))).toEqual([
    expect.stringMatching(/^executor: strip-finalizer OvnSnatRule snat: /),
  ]);
});

test("what is not known is a person's to find out", () => {
  expect(order(world(running, subnet).unlisted('Vip'))).toEqual([
    expect.stringMatching(/^person: find out about Subnet apps: .*Vip/),
  ]);
});

test.each([
  ['there', world(running)],
  [
    'there',
    world(object('Pod', 'ovn/x', { metadata: { labels: { app: 'kube-ovn-controller' } } })),
  ],
  ['gone', world()],
  ['unknown', world().unlisted('ReplicaSet')],
])('the controller is %s', (is, given) => expect(controllerIn(given.fold()).is).toBe(is));

test('a finalizer that no controller removes is for a person, and nothing is said to finish', () => {
  const left = object('OvnFip', 'fip', {
    metadata: { ...going, finalizers: ['ovn.kubernetes.io/fip'] },
    status: { v4Eip: '198.51.100.7' },
  });
  expect(order(world(running, left)).join()).not.toContain('by itself');
});

const of = (release: string) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { release } } },
  });
const vip = (finalizer: string) =>
  object('Vip', 'web', {
    metadata: { ...going, finalizers: [finalizer] },
    spec: { subnet: 'apps', namespace: 'shop' },
    status: { v4ip: '10.17.0.9' },
  });
const wellSubnet = object('Subnet', 'apps', { spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/24' } });
const its = port('web', { type: 'virtual', options: { 'virtual-ip': '10.17.0.9' } });

test.each([
  ['v1.16.2', 'kubeovn.io/kube-ovn-controller', 'change the object: a restart does not help'],
  ['v1.13.15', 'kube-ovn-controller', 'restart its controller if it does not'],
  ['v1.12.35', 'kube-ovn-controller', 'change the object: a restart does not help'],
])('of %s, what to do where a Vip with %s does not go', (release, finalizer, expected) => {
  expect(order(world(of(release), vip(finalizer), its, wellSubnet)).join()).toContain(expected);
});

test('what v1.12 does not know is for a person, and nothing is said to finish', () => {
  const said = order(world(of('v1.12.35'), vip('kubeovn.io/kube-ovn-controller'), its, wellSubnet));
  expect(said.join()).not.toContain('by itself');
  expect(said.join()).toContain('which Kube-OVN before v1.13 does not know');
});
