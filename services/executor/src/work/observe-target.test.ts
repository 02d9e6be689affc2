import { addressHolder, hanging, signal } from '../testing/action-cases';
import { memoryActionCluster } from '../testing/action-cluster';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { observeTarget } from './observe-target';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeEach(async () => {
  cluster = await memoryActionCluster();
});

const seen = ({ metadata: { name, uid } }: KubernetesObject) =>
  observeTarget({ source: 'kubernetes', kind: 'IP', name, uid }, cluster, signal);

test('tells an object that is there from one that is going, gone, or followed by a namesake', async () => {
  const object = cluster.kubernetes.put(addressHolder('IP', 'held'));
  expect(await seen(object)).toBe('there');
  expect(await seen(await hanging(cluster, addressHolder('IP', 'going')))).toBe('terminating');
  cluster.kubernetes.remove('IP', undefined, object.metadata.name);
  expect(await seen(object)).toBe('gone');
  cluster.kubernetes.put(addressHolder('IP', 'held'));
  expect(await seen(object)).toBe('gone');
});

test('what went with the definition of its kind is gone, as after an uninstall', async () => {
  const object = cluster.kubernetes.put(addressHolder('IP', 'held'));
  cluster.kubernetes.notInstalled.add('IP');
  expect(await seen(object)).toBe('gone');
});
