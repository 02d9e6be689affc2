import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { networkWaitsFor } from './network-waits-for';

const signal = new AbortController().signal;
const READY = [
  { type: 'Validated', status: 'True' },
  { type: 'Ready', status: 'True' },
];

function cluster(
  list: string | undefined,
  ...subnets: readonly { name: string; spec?: object; status?: object; vpc?: boolean }[]
) {
  const memory = memoryKubernetes();
  memory.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'shop',
      annotations: list === undefined ? {} : { 'ovn.kubernetes.io/logical_switch': list },
    },
  });
  for (const { name, spec, status, vpc = true } of subnets) {
    memory.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Subnet',
      metadata: { name },
      spec: { vpc: `vpc-${name}`, protocol: 'IPv4', ...spec },
      status: { conditions: READY, v4availableIPs: 9, ...status },
    });
    if (vpc)
      memory.put({ apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: `vpc-${name}` } });
  }
  return networkWaitsFor('shop', memory, signal);
}

test.each<[string, Parameters<typeof cluster>]>([
  ['one subnet', ['a', { name: 'a' }]],
  [
    'two, of which one is full',
    ['a,b', { name: 'a', status: { v4availableIPs: 0 } }, { name: 'b' }],
  ],
  [
    'two, of which the last is full',
    ['a,b', { name: 'a' }, { name: 'b', status: { v4availableIPs: 0 } }],
  ],
  [
    'both families',
    [
      'a',
      { name: 'a', spec: { protocol: 'Dual' }, status: { v6availableIPs: 18446744073709552000 } },
    ],
  ],
])('nothing, with %s', async (_, given) => expect(await cluster(...given)).toBeUndefined());

test.each<[string, Parameters<typeof cluster>, RegExp]>([
  ['is bound to none', [undefined], /bind Namespace shop to a Subnet/],
  ['is bound to one that is not there', ['a'], /Subnet a to be made/],
  [
    'is bound to one that is not ready, beside one that is',
    ['b,a', { name: 'b' }, { name: 'a', status: { conditions: [READY[0]] } }],
    /condition Ready/,
  ],
  ['is bound to one whose Vpc is gone', ['a', { name: 'a', vpc: false }], /Vpc vpc-a, which/],
  [
    'has no address left',
    ['a', { name: 'a', status: { v4availableIPs: 0 } }],
    /an address to be free in Subnet a/,
  ],
  [
    'has none left of one family',
    ['a', { name: 'a', spec: { protocol: 'Dual' }, status: { v6availableIPs: 0 } }],
    /an address to be free/,
  ],
  [
    'does not say how many are left',
    ['a', { name: 'a', status: { v4availableIPs: undefined } }],
    /an address to be free/,
  ],
  [
    'is of a protocol we do not know',
    ['a', { name: 'a', spec: { protocol: 'IPv8' } }],
    /an address to be free/,
  ],
])('something, when the namespace %s', async (_, given, why) =>
  expect(await cluster(...given)).toMatch(why),
);
