import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { listPage } from './list-page';

const POD = kubernetesKind('Pod')!;
const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [] };

test('gives the items, the state they are of, and where the list goes on', () => {
  expect(listPage(list, POD)).toEqual({ items: [], resourceVersion: '7', token: '' });
  expect(
    listPage(
      {
        ...list,
        items: [1],
        metadata: { resourceVersion: '7', continue: 'x', remainingItemCount: 4 },
      },
      POD,
    ),
  ).toEqual({ items: [1], resourceVersion: '7', token: 'x', remaining: 4 });
});

test.each([
  [undefined],
  [null],
  ['PodList'],
  [{}],
  [{ ...list, items: null }],
  [{ ...list, items: {} }],
  [{ ...list, kind: 'Status' }],
  [{ ...list, kind: undefined }],
  [{ ...list, metadata: {} }],
  [{ ...list, metadata: { resourceVersion: '' } }],
  [{ ...list, metadata: { resourceVersion: '7', continue: 5 } }],
])('%j is no list, and not an empty one', (answer) => {
  expect(() => listPage(answer, POD)).toThrow(expect.objectContaining({ code: 'source-broken' }));
});
