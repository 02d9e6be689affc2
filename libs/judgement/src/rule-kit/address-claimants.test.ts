import { addressClaimants } from '../rule-kit/address-claimants';
import type { Entity } from '../world/entity';

const ip = (spec: object, metadata: object = {}, name = 'web.shop'): Entity<'IP'> =>
  ({
    source: 'kubernetes',
    stream: 'kubernetes/IP',
    kind: 'IP',
    uid: 'u',
    name,
    object: { metadata: { name, ...metadata }, spec },
    hash: '',
  }) as unknown as Entity<'IP'>;
const requested = (record: Entity<'IP'>): string | string[] => {
  const claimants = addressClaimants(record);
  return typeof claimants === 'string'
    ? claimants
    : claimants.map(({ kind, key }) => `${kind} ${key}`);
};
const owner = (kind: string, name: string, apiVersion = 'v1') => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'o' }],
});
/** Whoever has a record of its own of that name. */
const OF_NAME = ['OvnEip web.shop', 'Vip web.shop'];
const POD = { namespace: 'shop', podName: 'web' };

test.each(['', 'StatefulSet', 'VirtualMachine'])(
  'the address of a pod of type "%s" may be of whatever bears its name',
  (podType) => {
    expect(requested(ip({ ...POD, podType }))).toEqual([
      'Pod shop/web',
      'VirtualMachine shop/web',
      'VirtualMachineInstance shop/web',
      'Vip web',
      ...OF_NAME,
    ]);
  },
);

test("a pod's set and the gateway it may be of are asked for as well", () => {
  expect(requested(ip({ ...POD, podName: 'web-3' }))).toContain('StatefulSet shop/web');
  expect(requested(ip({ ...POD, podName: 'vpc-nat-gw-a-0' }))).toContain('VpcNatGateway a');
});

test.each([
  ['of a kind nobody knows', owner('Gadget', 'g', 'example.com/v1')],
  ['of a kind that claims no address', owner('Deployment', 'g', 'apps/v1')],
  ['of another API with a known kind', owner('Node', 'g', 'example.com/v1')],
  ['of a core kind under the name of a group', owner('Pod', 'g', 'apps/v1')],
])('an owner %s leaves it open', (_, metadata) =>
  expect(requested(ip(POD, metadata))).toMatch(/is owned by .* g, a kind no rule here knows/),
);

test('an owner of a known kind is asked for, in its namespace where it has one', () => {
  expect(requested(ip(POD, owner('Node', 'worker')))).toContain('Node worker');
  expect(requested(ip(POD, owner('StatefulSet', 'db', 'apps/v1')))).toContain(
    'StatefulSet shop/db',
  );
});

test('a type of pod nobody knows leaves it open', () =>
  expect(requested(ip({ ...POD, podType: 'Gadget' }))).toBe(
    'IP web.shop has podType Gadget, which no rule here knows',
  ));

test('the address of a node is of the node it names, and only where it says so twice', () => {
  expect(requested(ip({ podName: 'worker', nodeName: 'worker' }))).toEqual([
    'Node worker',
    ...OF_NAME,
  ]);
  expect(requested(ip({ podName: 'other', nodeName: 'worker' }))).toMatch(
    /does not say whose it is/,
  );
});

test.each(['u2o-interconnection.net', 'mcast-querier.net'])('%s is of its subnet', (name) =>
  expect(requested(ip({ subnet: 'net' }, {}, name))).toEqual([
    'Subnet net',
    `OvnEip ${name}`,
    `Vip ${name}`,
  ]),
);

test('one that names nobody leaves it open', () =>
  expect(requested(ip({}))).toBe('IP web.shop does not say whose it is'));
