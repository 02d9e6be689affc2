import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { operation } from '@ovn-steward/ovsdb';
import { FINALIZER, hanging, signal } from '../testing/action-cases';
import { addressHolder } from '../testing/address-holder';
import { memoryActionCluster } from '../testing/action-cluster';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { observeTarget } from './observe-target';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeEach(async () => {
  cluster = await memoryActionCluster();
});

const seen = ({ metadata: { name, uid } }: KubernetesObject) =>
  observeTarget({ source: 'kubernetes', kind: 'IP', name, uid }, cluster, signal);

test('distinguishes an object that is there from one that is going, gone, or followed by a namesake', async () => {
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

const rowSeen = (uid: string, part?: Reference['part']) =>
  observeTarget(
    { source: 'ovn-nb', kind: 'Load_Balancer', name: 'lb', uid, ...(part && { part }) },
    cluster,
    signal,
  );
const vip = (key: string): Reference['part'] => ({ column: 'vips', key });

test('distinguishes a row, and an entry of it, that is there from one that is gone', async () => {
  const uid = crypto.randomUUID();
  cluster.northbound.database.transact([
    operation.insert(
      'Load_Balancer',
      { name: 'lb', vips: operation.map([['10.96.0.1:80', '10.16.0.2:80']]) },
      uid,
    ),
  ]);
  expect([
    await rowSeen(uid),
    await rowSeen(uid, vip('10.96.0.1:80')),
    await rowSeen(uid, vip('10.96.0.1:443')),
    await rowSeen(crypto.randomUUID()),
    await rowSeen(crypto.randomUUID(), vip('10.96.0.1:80')),
  ]).toEqual(['there', 'there', 'gone', 'gone', 'gone']);
});

test('of an object’s parts: the finalizer of that name, the annotation of that key, and nothing else', async () => {
  const object = await hanging(cluster, addressHolder('IP', 'part'));
  const { name, uid } = object.metadata;
  const part = (column: string, key: string) =>
    observeTarget(
      { source: 'kubernetes', kind: 'IP', name, uid, part: { column, key } },
      cluster,
      signal,
    );
  expect([
    await part('metadata.finalizers', FINALIZER),
    await part('metadata.finalizers', 'example.com/other'),
    await part('metadata.annotations', 'constructor'),
  ]).toEqual(['there', 'gone', 'gone']);
  await expect(part('metadata.labels', 'a')).rejects.toMatchObject({ code: 'object-malformed' });
});
