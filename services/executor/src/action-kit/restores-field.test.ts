import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { restoresField } from './restores-field';

const PATH = '/metadata/finalizers/-';
const target: Reference = {
  source: 'kubernetes',
  kind: 'Pod',
  namespace: 'shop',
  name: 'web',
  uid: 'u',
};
const record = {
  of: 'field',
  kind: 'Pod',
  namespace: 'shop',
  name: 'web',
  uid: 'u',
  path: PATH,
  value: 'x',
} as const;

test('gives back what was taken from the very object', () => {
  expect(restoresField(target, PATH, record)).toBeUndefined();
});

test.each<[string, object]>([
  ['another kind', { kind: 'IP' }],
  ['another namespace', { namespace: 'other' }],
  ['no namespace', { namespace: undefined }],
  ['another name', { name: 'other' }],
  ['another of its name', { uid: 'v' }],
  ['another field', { path: '/metadata/annotations/x' }],
  ['what is no text', { value: null }],
  ['another sort of record', { of: 'object' }],
])('not of %s', (_, other) =>
  expect(restoresField(target, PATH, { ...record, ...other } as unknown as Undo)).toBeDefined(),
);

test('not to a row of OVN', () => {
  expect(restoresField({ ...target, source: 'ovn-nb' }, PATH, record)).toBeDefined();
});
