import { Failure } from '@ovn-steward/shared/errors';
import { type MemoryKubernetes, memoryKubernetes } from './testing/memory-kubernetes';
import type { MemoryNorthbound } from './testing/memory-northbound';
import { contentOf, recordedNorthbound } from './testing/recorded-northbound';
import type { Systems } from './systems';
import { operation } from '@ovn-steward/ovsdb';
import { guardedSystems, unguarded } from './guarded-systems';

const never = new AbortController().signal;
const REFUSED = new Failure('other-cluster', 'another cluster');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let sent: string[];
beforeEach(async () => {
  northbound = await recordedNorthbound('clean');
  kubernetes = memoryKubernetes();
  kubernetes.put({ kind: 'Subnet', apiVersion: 'kubeovn.io/v1', metadata: { name: 'lan' } });
  await northbound.takeOver(never);
  sent = [];
  kubernetes.fault = ({ verb }) => void sent.push(verb);
});

const object = () => {
  const [{ metadata }] = kubernetes.objects('Subnet') as [ReturnType<typeof kubernetes.objects>[0]];
  return {
    kind: 'Subnet',
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  };
};

test.each<[string, (systems: Systems) => Promise<unknown>]>([
  [
    'a transaction',
    (it) => it.northbound.write([operation.insert('Meter', { name: 'm', unit: 'pktps' })], never),
  ],
  ['a deletion', (it) => it.kubernetes.delete(object(), never)],
  ['an eviction', (it) => it.kubernetes.evict(object(), never)],
  ['a patch', (it) => it.kubernetes.patch(object(), [], never)],
  ['a creation', (it) => it.kubernetes.create('Subnet', { metadata: { name: 'x' } }, never)],
])('%s is not sent where the check refuses it', async (_, send) => {
  const before = contentOf(northbound);
  const refusing = guardedSystems({ northbound, kubernetes }, () => Promise.reject(REFUSED));
  await expect(send(refusing)).rejects.toBe(REFUSED);
  expect([contentOf(northbound), sent]).toEqual([before, []]);
});

test('what only reads is asked as it is', async () => {
  const guarded = guardedSystems({ northbound, kubernetes }, () => Promise.reject(REFUSED));
  expect(await guarded.kubernetes.get('Namespace', undefined, 'kube-system', never)).toBeDefined();
  expect(await guarded.northbound.identity(never)).toMatch(/^nb:/);
  expect(guarded.northbound.connections()).toBe(northbound.connections());
});

test('the client itself is known behind any number of guards', () => {
  const once = guardedSystems({ northbound, kubernetes }, async () => undefined);
  const twice = guardedSystems(once, async () => undefined);
  for (const it of [kubernetes, once.kubernetes, twice.kubernetes])
    expect(unguarded(it)).toBe(kubernetes);
});
