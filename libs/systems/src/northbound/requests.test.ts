import { operation, type Operation } from '@ovn-steward/ovsdb';
import { refuseChanges, refuseEveryRow } from './requests';

const AT = operation.byUuid('00000000-0000-4000-8000-000000000001');
const changes: readonly Operation[] = [
  operation.insert('ACL', {}),
  operation.update('ACL', AT, {}),
  operation.mutate('ACL', AT, []),
  operation.remove('ACL', AT),
];
const read = operation.select('ACL', AT, ['_uuid']);

test.each(changes.map((it) => [it.op, it] as const))(
  'a read with %s is refused, unless it ends with abort',
  (op, change) => {
    expect(() => refuseChanges([read, change])).toThrow(`A read contains ${op}`);
    expect(() => refuseChanges([read, change, { op: 'abort' }])).not.toThrow();
  },
);

test('a read that only reads and waits is one', () => {
  expect(() => refuseChanges([read, operation.wait('ACL', AT, ['_uuid'], [])])).not.toThrow();
});

test.each([
  ['update', operation.update('ACL', [], {})],
  ['mutate', operation.mutate('ACL', [], [])],
  ['delete', operation.remove('ACL', [])],
])('%s of every row of a table is refused', (op, change) => {
  expect(() => refuseEveryRow([read, change])).toThrow(`${op} on ACL has no condition`);
});

test('a change of one row, and a read of every row, are none of every row', () => {
  expect(() => refuseEveryRow([...changes, operation.select('ACL', [], ['_uuid'])])).not.toThrow();
});
