import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { manifestOf, PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import { restoresObject } from './restores-object';

const target: Reference = { source: 'kubernetes', kind: 'IP', name: 'web.shop', uid: 'u' };
const manifest = {
  apiVersion: 'kubeovn.io/v1',
  kind: 'IP',
  metadata: { name: 'web.shop' },
  spec: {},
};
const said = (given: object, of: Partial<Undo> = {}, at: Partial<Reference> = {}) =>
  restoresObject(['IP'], { ...target, ...at }, {
    of: 'object',
    kind: 'IP',
    manifest: { ...manifest, ...given },
    ...of,
  } as Undo);

test('makes again what was there', () => expect(said({})).toBeUndefined());

test.each<[string, string | undefined]>([
  ['an object of another kind', said({ kind: 'Vip' }, { kind: 'Vip' } as never)],
  ['a record that says another kind than its manifest', said({}, { kind: 'Vip' } as never)],
  ['a manifest of another kind', said({ kind: 'Vip' })],
  ['another API', said({ apiVersion: 'example.com/v1' })],
  ['another name', said({ metadata: { name: 'other' } })],
  ['a namespace', said({ metadata: { name: 'web.shop', namespace: 'shop' } })],
  ['no metadata', said({ metadata: undefined })],
  ['a field none has', said({ status: {} })],
  ['metadata none has', said({ metadata: { name: 'web.shop', uid: 'u' } })],
  [
    'a mark of its having been made again',
    said({ metadata: { name: 'web.shop', annotations: { [PUT_BACK]: 'x' } } }),
  ],
  ['another sort of record', said({}, { of: 'field' })],
  ['an action for another kind', said({ kind: 'Vip' }, { kind: 'Vip' } as never, { kind: 'Vip' })],
  ['a row of OVN', said({}, {}, { source: 'ovn-nb' })],
])('not of %s', (_, why) => expect(why).toBeDefined());

test('what is kept of an object is what others than the server wrote, without marks of ours', () => {
  const object = {
    kind: 'IP',
    apiVersion: 'kubeovn.io/v1',
    metadata: {
      name: 'web.shop',
      uid: 'u',
      resourceVersion: '7',
      labels: { a: 'b' },
      finalizers: ['f'],
      ownerReferences: [{ name: 'o' }],
      annotations: { [PUT_BACK]: 'x', [CALLED_OFF]: '7', mine: 'y' },
    },
    spec: { a: 1 },
    status: { b: 2 },
  };
  const kept = manifestOf('IP', object as unknown as KubernetesObject);
  expect(kept).toEqual({
    kind: 'IP',
    apiVersion: 'kubeovn.io/v1',
    spec: { a: 1 },
    metadata: {
      name: 'web.shop',
      labels: { a: 'b' },
      finalizers: ['f'],
      ownerReferences: [{ name: 'o' }],
      annotations: { mine: 'y' },
    },
  });
});
