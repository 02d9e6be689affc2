import { externalSubnetWriters, podSubnetWriters, specSubnetWriters } from './field-writers';

const SUBNET = 'f:ovn.kubernetes.io/logical_switch';
const entry = (manager: string, fieldsV1: object) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
});
const annotations = (...keys: string[]) => ({
  'f:metadata': { 'f:annotations': Object.fromEntries(keys.map((key) => [key, {}])) },
});
const kept = (manager: string, fieldsV1: object) => ({ manager, fieldsV1 });

test('keeps who wrote the subnet of a pod’s interface, and nothing else', () => {
  const attached = 'f:net1.shop.ovn.kubernetes.io/logical_switch';
  expect(
    podSubnetWriters([
      entry('kube-controller-manager', {
        ...annotations('f:example.com/secret', SUBNET),
        'f:spec': { 'f:containers': {} },
      }),
      entry('kubelet', annotations()),
      entry('kube-ovn-controller', annotations(attached, 'f:ovn.kubernetes.io/ip_address')),
      { manager: 'status only', fieldsV1: { 'f:status': {} } },
      { manager: 'nothing' },
    ]),
  ).toEqual([
    kept('kube-controller-manager', annotations(SUBNET)),
    kept('kube-ovn-controller', annotations(attached)),
  ]);
});

test('keeps who wrote the subnet of a specification, and nothing else', () => {
  expect(
    specSubnetWriters([
      entry('kubectl-create', { 'f:spec': { '.': {}, 'f:subnet': {}, 'f:v4ip': {} } }),
      entry('kube-ovn-controller', { ...annotations(SUBNET), 'f:status': { 'f:v4ip': {} } }),
      { manager: 'nothing' },
    ]),
  ).toEqual([kept('kubectl-create', { 'f:spec': { 'f:subnet': {} } })]);
});

describe.each([
  ['of a pod', podSubnetWriters, annotations(SUBNET)],
  ['of a specification', specSubnetWriters, { 'f:spec': { 'f:subnet': {} } }],
  ['of an external subnet', externalSubnetWriters, { 'f:spec': { 'f:externalSubnet': {} } }],
])('the writers %s', (_, shape, fieldsV1) => {
  test('are kept again as they are', () => {
    const once = shape([entry('kube-ovn-controller', fieldsV1)]);
    expect(once).toHaveLength(1);
    expect(shape(once)).toEqual(once);
  });

  test.each([['a text'], [{}], [null], [[1]], [[{ fieldsV1: { 'f:metadata': 1, 'f:spec': 1 } }]]])(
    'are refused in another form: %j',
    (value) => expect(() => shape(value)).toThrow('expected'),
  );
});
