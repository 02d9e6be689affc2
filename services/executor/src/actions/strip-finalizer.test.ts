import type { Reference } from '@ovn-steward/shared/events/reference';
import { operation } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '../kubernetes/kubernetes';
import { addressHolder, FINALIZER, hanging, kubeOvnObject, NOTE, signal, stripping } from '../testing/action-cases';
import { memoryActionCluster } from '../testing/action-cluster';
import { prepareUndo } from '../undo/undo';
import { applyEffect } from '../work/apply-effect';
import { describeKubernetesAction } from './kubernetes-action.contract';
import stripFinalizer from './strip-finalizer';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeAll(async () => { cluster = await memoryActionCluster(); });
describeKubernetesAction(() => cluster, stripping(stripFinalizer));

const prepare = ({ kind, metadata: { name, uid } }: KubernetesObject, key = FINALIZER) =>
  stripFinalizer.prepare({ source: 'kubernetes', kind: String(kind), name, uid, part: { column: 'metadata.finalizers', key } } satisfies Reference, NOTE, cluster, signal);

/** A port of a pod in the switch `apps`, and a load balancer. */
const rows = (name: string) => {
  const uuid = crypto.randomUUID();
  cluster.northbound.database.transact([
    operation.insert('Logical_Switch_Port', { name }, uuid), operation.insert('Logical_Switch', { name: 'apps', ports: operation.uuid(uuid) }), operation.insert('Load_Balancer', { name }),
  ]);
};

test('only with a person\'s word', () => expect(stripFinalizer.onlyApproved).toBe(true));

test('the object goes with its last finalizer', async () => {
  const ip = await hanging(cluster, addressHolder('IP', 'last'));
  const prepared = await prepare(ip);
  if (prepared.is !== 'prepared') throw new Error(prepared.reason);
  await applyEffect(prepared.effect, cluster, signal);
  expect(await cluster.kubernetes.get('IP', undefined, 'last', signal)).toBeUndefined();
});

test.each(['IP', 'OvnDnatRule'])('refuses %s while anything of it is in the Northbound', async (kind) => {
  const given = kind === 'IP' ? addressHolder('IP', `left-${kind}`.toLowerCase()) : kubeOvnObject(kind, `left-${kind}`.toLowerCase(), { ovnEip: 'eip' });
  const object = await hanging(cluster, given);
  expect(await prepare(object)).toMatchObject({ is: 'prepared' });
  rows(given.metadata.name);
  expect(await prepare(object)).toMatchObject({ is: 'refused', code: 'changed', reason: expect.stringContaining('is there') });
});

test('refuses an object that is not being deleted', async () => {
  expect(await prepare(await cluster.put(addressHolder('IP', 'living')))).toMatchObject({ is: 'refused', code: 'changed' });
});

test.each(['example.com/finalizer', 'foregroundDeletion', 'kubeovn.io/other', '', '0'])('never takes a finalizer of others: %j', async (finalizer) => {
  const given = addressHolder('IP', 'foreign');
  const object = await hanging(cluster, { ...given, metadata: { ...given.metadata, finalizers: [FINALIZER, ...(finalizer ? [finalizer] : [])] } });
  expect(await prepare(object, finalizer)).toMatchObject({ is: 'refused', code: 'unsupported' });
  cluster.kubernetes.remove('IP', undefined, 'foreign');
});

test('takes the older name of the finalizer, too, and only it', async () => {
  const given = addressHolder('IP', 'older');
  const object = await hanging(cluster, { ...given, metadata: { ...given.metadata, finalizers: ['example.com/a', 'kube-ovn-controller', FINALIZER] } });
  const prepared = await prepare(object, 'kube-ovn-controller');
  if (prepared.is !== 'prepared') throw new Error(prepared.reason);
  expect(await applyEffect(prepared.effect, cluster, signal)).toEqual({ is: 'applied' });
  expect((await cluster.kubernetes.get('IP', undefined, 'older', signal))?.metadata.finalizers).toEqual(['example.com/a', FINALIZER]);
  expect(await prepareUndo(prepared.undo, NOTE, cluster, signal)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('takes no finalizers any more') });
});

test.each(['Subnet', 'Vip', 'IPPool', 'OvnEip', 'OvnFip', 'OvnSnatRule', 'IptablesEIP', 'IptablesFIPRule', 'IptablesDnatRule', 'IptablesSnatRule'])('says what mends a %s instead', async (kind) => {
  const object = await hanging(cluster, kubeOvnObject(kind, `other-${kind}`.toLowerCase(), {}));
  expect(await prepare(object)).toMatchObject({ is: 'refused', code: 'unsupported', reason: expect.stringContaining('is not taken away: ') });
});

test('fails when the Northbound cannot be read: nobody heard of is not nobody', async () => {
  const ip = await hanging(cluster, addressHolder('IP', 'blind'));
  const away = { ...cluster, northbound: { ...cluster.northbound, read: () => Promise.reject(new Error('away')) } };
  await expect(stripFinalizer.prepare({ source: 'kubernetes', kind: 'IP', name: 'blind', uid: ip.metadata.uid, part: { column: 'metadata.finalizers', key: FINALIZER } }, NOTE, away, signal)).rejects.toThrow('away');
});
