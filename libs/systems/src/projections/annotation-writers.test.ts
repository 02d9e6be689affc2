import { subnetWriters } from './annotation-writers';

const SUBNET = 'f:ovn.kubernetes.io/logical_switch';
const entry = (manager: string, ...keys: string[]) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { 'f:annotations': Object.fromEntries(keys.map((key) => [key, {}])) },
    'f:spec': { 'f:containers': {} },
  },
});
const kept = (manager: string, ...keys: string[]) => ({
  manager,
  fieldsV1: { 'f:metadata': { 'f:annotations': Object.fromEntries(keys.map((k) => [k, {}])) } },
});

test('keeps who wrote the subnet of an interface, and nothing else', () => {
  const attached = 'f:net1.shop.ovn.kubernetes.io/logical_switch';
  expect(
    subnetWriters([
      entry('kube-controller-manager', 'f:example.com/secret', SUBNET),
      entry('kubelet'),
      entry('kube-ovn-controller', attached, 'f:ovn.kubernetes.io/ip_address'),
      { manager: 'status only', fieldsV1: { 'f:status': {} } },
      { manager: 'nothing' },
    ]),
  ).toEqual([kept('kube-controller-manager', SUBNET), kept('kube-ovn-controller', attached)]);
});

test('what it keeps it keeps again', () => {
  const once = subnetWriters([entry('kube-ovn-controller', SUBNET)]);
  expect(subnetWriters(once)).toEqual(once);
});

test.each([['a text'], [{}], [null], [[1]], [[{ fieldsV1: { 'f:metadata': 1 } }]]])(
  'what has another form is refused: %j',
  (value) => expect(() => subnetWriters(value)).toThrow('expected'),
);
