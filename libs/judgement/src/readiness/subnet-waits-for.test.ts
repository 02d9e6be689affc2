import { boundSubnets, subnetWaitsFor, type SubnetSeen, vpcNameOf } from './subnet-waits-for';

const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });
const READY = [
  condition('Validated', 'True'),
  condition('Ready', 'True'),
  condition('Error', 'Unknown'),
];
const subnet = ({
  conditions = READY,
  spec = {},
  metadata = {},
}: { conditions?: unknown; spec?: object; metadata?: object } = {}) => ({
  metadata: { name: 's', ...metadata },
  spec: { vpc: 'v', provider: 'ovn', ...spec },
  status: { conditions },
});
const namespace = (list?: string) => ({
  name: 'shop',
  object: {
    metadata: {
      name: 'shop',
      ...(list !== undefined && { annotations: { 'ovn.kubernetes.io/logical_switch': list } }),
    },
  },
});
const seen = (more: Partial<SubnetSeen> = {}): SubnetSeen => ({
  name: 's',
  subnet: subnet(),
  vpc: { metadata: { name: 'v' } },
  ...more,
});
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('a Subnet is ready', () => {
  test.each<[string, Partial<SubnetSeen>]>([
    ['with both conditions, and its Vpc there', {}],
    [
      'bound to the namespace, which names it twice beside another',
      { namespace: namespace('s,other,s') },
    ],
    ["without a provider, which is OVN's", { subnet: subnet({ spec: { provider: '' } }) }],
    [
      "without a Vpc, when only its addresses are Kube-OVN's",
      { subnet: subnet({ spec: { vpc: undefined, provider: 'storage.infra' } }), vpc: undefined },
    ],
  ])('%s', (_, more) => expect(subnetWaitsFor(seen(more))).toEqual([]));
});

describe('a Subnet waits', () => {
  test.each<[string, Partial<SubnetSeen>, readonly RegExp[]]>([
    ['while it is not there', { subnet: undefined }, [/^Subnet s to be made$/]],
    [
      'while it is not there and nothing is bound',
      { subnet: undefined, namespace: namespace('ovn-default') },
      [/^Subnet s to be made$/, /bind Namespace shop to Subnet s: it is bound to ovn-default/],
    ],
    [
      'while it is being deleted, whatever its conditions say',
      { subnet: subnet({ metadata: DELETED }) },
      [/its deletion began at 2026/],
    ],
    [
      'without conditions',
      { subnet: subnet({ conditions: null }) },
      [/no condition Validated yet/, /no condition Ready yet/],
    ],
    [
      'with conditions that are no list',
      { subnet: subnet({ conditions: 'Ready' }) },
      [/no condition Validated/, /no condition Ready/],
    ],
    [
      'validated and not ready',
      {
        subnet: subnet({
          conditions: [
            READY[0],
            condition('Ready', 'False', { reason: 'Reconcile', message: 'no vpc' }),
          ],
        }),
      },
      [/^condition Ready of Subnet s to be True: it is False \(Reconcile: no vpc\)$/],
    ],
    [
      'ready and not validated',
      { subnet: subnet({ conditions: [condition('Validated', 'Unknown'), READY[1]] }) },
      [/^condition Validated of Subnet s to be True: it is Unknown$/],
    ],
    [
      'with a condition that says true in another spelling',
      { subnet: subnet({ conditions: [READY[0], condition('Ready', 'true')] }) },
      [/it is true/],
    ],
    ['without its Vpc', { vpc: undefined }, [/^Vpc v, which Subnet s names, to be made$/]],
    [
      'with a Vpc that is being deleted',
      { vpc: { metadata: { name: 'v', ...DELETED } } },
      [/^Vpc v to be recreated/],
    ],
    [
      'before it was put into a Vpc',
      { subnet: subnet({ spec: { vpc: '' } }) },
      [/to put Subnet s into a Vpc/],
    ],
    [
      "an attached network of OVN's needs its Vpc too",
      { subnet: subnet({ spec: { provider: 'net.shop.ovn' } }), vpc: undefined },
      [/^Vpc v/],
    ],
    [
      'for its namespace to be made',
      { namespace: { name: 'shop', object: undefined } },
      [/^Namespace shop to be made$/],
    ],
    ['for its namespace to be bound at all', { namespace: namespace() }, [/it is bound to none/]],
    [
      'for a namespace bound to one whose name begins alike',
      { namespace: namespace('s2,as') },
      [/it is bound to s2, as/],
    ],
  ])('%s', (_, more, phrases) => {
    const waits = subnetWaitsFor(seen(more));
    expect(waits).toHaveLength(phrases.length);
    phrases.forEach((it, index) => expect(waits[index]).toMatch(it));
  });
});

test('the Vpc is asked for only where one is needed', () => {
  expect([
    vpcNameOf(subnet()),
    vpcNameOf(subnet({ spec: { provider: 'storage.infra' } })),
    vpcNameOf(subnet({ spec: { vpc: '' } })),
    vpcNameOf(undefined),
  ]).toEqual(['v', undefined, undefined, undefined]);
});

test('what a namespace is bound to is a set', () =>
  expect([...boundSubnets(namespace('a,b,a,').object)]).toEqual(['a', 'b']));
