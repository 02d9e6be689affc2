import { gateAt, gateWaitsFor, type GatedPodSeen, isChosen, desiredSubnet } from './gate-waits-for';

const LABEL = 'ovn-steward.dev/subnet';
const SWITCH = 'ovn.kubernetes.io/logical_switch';
const GATE = 'ovn-steward.dev/subnet-ready';

const pod = (metadata: object = {}, gates: unknown = [{ name: GATE }]) => ({
  metadata: { name: 'web-0', namespace: 'shop', ...metadata },
  spec: { schedulingGates: gates },
});
const namespace = (labels: object = { [LABEL]: 's' }, bound = 's') => ({
  name: 'shop',
  object: { metadata: { name: 'shop', labels, annotations: { [SWITCH]: bound } } },
});
const subnet = {
  metadata: { name: 's' },
  spec: { vpc: 'v' },
  status: {
    conditions: [
      { type: 'Validated', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  },
};
const waits = (more: Partial<GatedPodSeen> = {}) =>
  gateWaitsFor({
    pod: pod(),
    namespace: namespace(),
    subnet,
    vpc: { metadata: { name: 'v' } },
    ...more,
  });

test.each<[string, unknown, number]>([
  ['alone', [{ name: GATE }], 0],
  ['behind another', [{ name: 'a/b' }, { name: GATE }], 1],
  ['not among others', [{ name: 'a/b' }, {}], -1],
  ['not in none', null, -1],
  ['not in what is no list', GATE, -1],
])('our gate stands %s', (_, gates, at) => expect(gateAt(pod({}, gates))).toBe(at));

test('the subnet is named by the pod before its namespace, and chosen where the pod names it twice', () => {
  expect(desiredSubnet(pod(), namespace().object)).toBe('s');
  expect(desiredSubnet(pod({ labels: { [LABEL]: 'own' } }), namespace().object)).toBe('own');
  expect(desiredSubnet(pod(), namespace({}).object)).toBeUndefined();
  const annotations = { [SWITCH]: 's' };
  expect([
    isChosen(pod({ annotations })),
    isChosen(pod({ labels: { [LABEL]: 's' } })),
    isChosen(pod({ labels: { [LABEL]: 's' }, annotations })),
    isChosen(pod({ labels: { [LABEL]: 't' }, annotations })),
  ]).toEqual([false, false, true, false]);
});

test.each<[string, Partial<GatedPodSeen>]>([
  ['whose subnet is ready and bound', {}],
  [
    'that chose its subnet, whatever its namespace is bound to',
    {
      pod: pod({ labels: { [LABEL]: 's' }, annotations: { [SWITCH]: 's' } }),
      namespace: namespace({}, 'ovn-default'),
    },
  ],
  [
    'that was given an address of its subnet',
    { pod: pod({ annotations: { [SWITCH]: 's', 'ovn.kubernetes.io/allocated': 'true' } }) },
  ],
])('nothing keeps a pod %s', (_, more) => expect(waits(more)).toEqual([]));

test.each<[string, Partial<GatedPodSeen>, RegExp]>([
  [
    'for somebody to name a subnet',
    { namespace: namespace({}) },
    /^a label ovn-steward\.dev\/subnet on Pod or Namespace shop that names its subnet$/,
  ],
  ['for its subnet', { subnet: undefined }, /^Subnet s to be made$/],
  ['for the Vpc of its subnet', { vpc: undefined }, /^Vpc v, which Subnet s names, to be made$/],
  [
    'for its namespace to be bound',
    { namespace: namespace({ [LABEL]: 's' }, 'ovn-default') },
    /^Kube-OVN to bind Namespace shop to Subnet s/,
  ],
  [
    'for its namespace, which is not there',
    { pod: pod({ labels: { [LABEL]: 's' } }), namespace: { name: 'shop', object: undefined } },
    /^Namespace shop to be made$/,
  ],
  [
    'for ever, with an address of another subnet',
    {
      pod: pod({ annotations: { [SWITCH]: 'ovn-default', 'ovn.kubernetes.io/allocated': 'true' } }),
    },
    /^an address of Subnet s: it was given one of ovn-default\. Delete the pod/,
  ],
])('a pod waits %s', (_, more, phrase) =>
  expect(waits(more)).toEqual([expect.stringMatching(phrase)]),
);
