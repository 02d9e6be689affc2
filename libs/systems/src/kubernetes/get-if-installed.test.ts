import { memoryKubernetes } from '../testing/memory-kubernetes';
import { getIfInstalled } from './get-if-installed';

const signal = new AbortController().signal;

test('gives the object that is there, and nothing of a name or a kind that is not', async () => {
  const kubernetes = memoryKubernetes();
  const put = kubernetes.put({ kind: 'IP', metadata: { name: 'web.shop' } });
  expect(await getIfInstalled('IP', undefined, 'web.shop', kubernetes, signal)).toEqual(put);
  expect(await getIfInstalled('IP', undefined, 'other.shop', kubernetes, signal)).toBeUndefined();
  kubernetes.notInstalled.add('IP');
  expect(await getIfInstalled('IP', undefined, 'web.shop', kubernetes, signal)).toBeUndefined();
});

test('a kind that is not served though its definition is there, as while an API server starts, is no absence', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.notInstalled.add('IP');
  await expect(
    getIfInstalled(
      'IP',
      undefined,
      'web.shop',
      { get: kubernetes.get, serves: async () => 'served' },
      signal,
    ),
  ).rejects.toMatchObject({ code: 'source-not-served' });
});

test('who may not read gets that error, and not that there is nothing', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.forbidden.add('get IP');
  await expect(
    getIfInstalled(
      'IP',
      undefined,
      'web.shop',
      { get: kubernetes.get, serves: async () => 'not-installed' },
      signal,
    ),
  ).rejects.toMatchObject({ code: 'source-forbidden' });
});
