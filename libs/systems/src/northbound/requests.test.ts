import { operation, type Operation } from '@ovn-steward/ovsdb';
import { refuseChanges } from './requests';

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
