import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { kubeOvnObject, COMMENT, podOfReplicaSet, signal } from '../testing/action-cases';
import { addressHolder } from '../testing/address-holder';
import { memoryActionCluster } from '../testing/action-cluster';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { undoObject } from './undo-object';

const ADDRESS = '10.16.0.77';
const KINDS = ['IP', 'Vip', 'OvnEip', 'IptablesEIP'];

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeEach(async () => {
  cluster = await memoryActionCluster();
  cluster.kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps' } });
});

const recordOf = (kind: string, more: Partial<GivenObject> = {}): Undo & { of: 'object' } => ({
  of: 'object',
  kind,
  manifest: { ...addressHolder(kind, 'lost', ADDRESS), ...more, status: undefined },
});
const undo = (record: Undo & { of: 'object' }) => undoObject(record, COMMENT, cluster, signal);

/** A port of the switch of the subnet. */
const port = (name: string, columns: Parameters<typeof operation.insert>[1], of = 'apps'): void => {
  const uuid = crypto.randomUUID();
  cluster.northbound.database.transact([
    operation.insert('Logical_Switch_Port', { name, ...columns }, uuid),
    operation.insert('Logical_Switch', { name: of, ports: operation.uuid(uuid) }),
  ]);
};

test.each(KINDS)('%s: comes back when nobody has its name or address', async (kind) => {
  port('other', { addresses: '0a:00:00:00:00:02 10.16.0.78' });
  cluster.kubernetes.put(addressHolder(kind, 'other', '10.16.0.79'));
  expect(await undo(recordOf(kind))).toMatchObject({
    is: 'ready',
    effect: { verb: 'create', kind, manifest: { metadata: { name: 'lost' } } },
    losses: expect.arrayContaining(['it is made with a new uid']),
  });
});

describe.each(KINDS)('%s: does not come back', (kind) => {
  test.each(KINDS)('while a %s has its address', async (holder) => {
    cluster.kubernetes.put(addressHolder(holder, 'taker', ADDRESS));
    expect(await undo(recordOf(kind))).toEqual({
      is: 'impossible',
      reason: `${ADDRESS} of subnet apps belongs to ${holder} taker now`,
    });
  });

  test('while a port of its switch has it', async () => {
    port('taker.shop', { addresses: `0a:00:00:00:00:02 ${ADDRESS}` });
    expect(await undo(recordOf(kind))).toEqual({
      is: 'impossible',
      reason: `${ADDRESS} is used by port taker.shop of switch apps now`,
    });
  });

  test('when its subnet is gone, or going', async () => {
    cluster.kubernetes.remove('Subnet', undefined, 'apps');
    expect(await undo(recordOf(kind))).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('Subnet apps'),
    });
    cluster.kubernetes.put({
      kind: 'Subnet',
      metadata: { name: 'apps', deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    expect(await undo(recordOf(kind))).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('being deleted'),
    });
  });
});

test('the same address in another subnet is another', async () => {
  cluster.kubernetes.put(
    kubeOvnObject('IP', 'elsewhere', {
      subnet: 'other',
      v4IpAddress: ADDRESS,
      v6IpAddress: '',
      ipAddress: ADDRESS,
    }),
  );
  port('elsewhere', { addresses: `0a:00:00:00:00:02 ${ADDRESS}` }, 'other');
  expect(await undo(recordOf('IP'))).toMatchObject({ is: 'ready' });
});

test('addresses are compared as numbers', async () => {
  const six = (name: string, address: string) =>
    kubeOvnObject('IP', name, {
      subnet: 'apps',
      v4IpAddress: '',
      v6IpAddress: address,
      ipAddress: address,
    });
  cluster.kubernetes.put(six('taker', 'fd00:0:0:0::0a'));
  expect(await undo({ of: 'object', kind: 'IP', manifest: six('lost', 'fd00::A') })).toMatchObject({
    is: 'impossible',
  });
});

test('a dynamic address counts, and one that cannot be read may be any', async () => {
  port('dynamic', { addresses: 'dynamic', dynamic_addresses: `0a:00:00:00:00:02 ${ADDRESS}` });
  expect(await undo(recordOf('IP'))).toMatchObject({ is: 'impossible' });
  cluster = await memoryActionCluster();
  cluster.kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps' } });
  port('odd', { addresses: '0a:00:00:00:00:02 10.16.0.077' });
  expect(await undo(recordOf('IP'))).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('cannot be read'),
  });
});

test("its own port is nobody else's", async () => {
  port('lost', { addresses: `0a:00:00:00:00:01 ${ADDRESS}` });
  expect(await undo(recordOf('IP'))).toMatchObject({ is: 'ready' });
  port('lost.shop', { addresses: `0a:00:00:00:00:01 ${ADDRESS}` });
  const vip = (namespace: string) =>
    undo({
      of: 'object',
      kind: 'Vip',
      manifest: kubeOvnObject('Vip', 'lost', {
        subnet: 'apps',
        namespace,
        type: 'switch_lb_vip',
        v4ip: ADDRESS,
      }),
    });
  expect([(await vip('shop')).is, (await vip('other')).is]).toEqual(['ready', 'impossible']);
});

test('is back when this very action was undone by that object, whatever its controller added; not when somebody made it', async () => {
  const { kind, spec } = addressHolder('IP', 'lost', ADDRESS) as GivenObject & { spec: object };
  const stands = (annotations: Record<string, string>) =>
    cluster.kubernetes.put({
      kind,
      metadata: { name: 'lost', labels: { added: 'yes' }, annotations },
      spec: { ...spec, macAddress: '0a:00:00:00:00:01', containerID: 'added' },
    });
  stands({});
  expect(await undo(recordOf('IP'))).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('another IP lost'),
  });
  stands({ [PUT_BACK]: COMMENT.action });
  expect(await undo(recordOf('IP'))).toMatchObject({ is: 'back' });
});

test('not while another of that name is there, or it still goes', async () => {
  cluster.kubernetes.put(addressHolder('IP', 'lost', '10.16.0.80'));
  expect(await undo(recordOf('IP'))).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('another IP lost'),
  });
  cluster.kubernetes.put({
    ...addressHolder('IP', 'lost', ADDRESS),
    metadata: { name: 'lost', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] },
  });
  expect(await undo(recordOf('IP'))).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('still being deleted'),
  });
});

test('owners that are gone are left out: it would be deleted with them at once', async () => {
  const { uid } = cluster.kubernetes.put({ kind: 'Node', metadata: { name: 'worker' } }).metadata;
  const lives = { apiVersion: 'v1', kind: 'Node', name: 'worker', uid };
  const plan = await undo(
    recordOf('IP', {
      metadata: {
        name: 'lost',
        ownerReferences: [
          lives,
          { ...lives, uid: 'before' },
          { apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: 'g' },
        ],
      },
    }),
  );
  expect(plan).toMatchObject({
    is: 'ready',
    effect: { manifest: { metadata: { ownerReferences: [lives] } } },
  });
  expect(plan.is === 'ready' && plan.losses.filter((it) => it.includes('belong'))).toHaveLength(2);
});

test('says when it named no address', async () => {
  expect(
    await undo({
      of: 'object',
      kind: 'Vip',
      manifest: kubeOvnObject('Vip', 'lost', { subnet: 'apps' }),
    }),
  ).toMatchObject({
    is: 'ready',
    losses: expect.arrayContaining([expect.stringContaining('chooses one')]),
  });
});

test('a pod is not put back, nor what this version deletes never', async () => {
  const pod = await podOfReplicaSet(cluster, 'web');
  expect(await undo({ of: 'object', kind: 'Pod', manifest: pod })).toMatchObject({
    is: 'impossible',
  });
  for (const kind of ['Vpc', 'Subnet', '__proto__'])
    expect(
      await undo({ of: 'object', kind, manifest: { kind, metadata: { name: 'x' } } }),
    ).toMatchObject({ is: 'impossible' });
  for (const manifest of [
    {},
    { kind: 'IP' },
    { kind: 'IP', metadata: {} },
    { kind: 'Vip', metadata: { name: 'x' } },
  ])
    expect(await undo({ of: 'object', kind: 'IP', manifest })).toMatchObject({ is: 'impossible' });
});

test.each(KINDS)(
  'when the holders of kind %s cannot be listed it fails, and says nothing',
  async (kind) => {
    cluster.kubernetes.fault = (call) =>
      call.verb === 'list' && call.kind === kind
        ? new Failure('source-forbidden', 'no')
        : undefined;
    await expect(undo(recordOf('IP'))).rejects.toMatchObject({ code: 'source-forbidden' });
    cluster.kubernetes.fault = undefined;
    cluster.kubernetes.notInstalled.add(kind);
    if (kind !== 'IP') expect(await undo(recordOf('IP'))).toMatchObject({ is: 'ready' });
  },
);

test('waits while the definition of its kind is not installed', async () => {
  cluster.kubernetes.notInstalled.add('IP');
  expect(await undo(recordOf('IP'))).toMatchObject({
    is: 'impossible',
    passes: true,
    reason: expect.stringContaining('no kind IP any more'),
  });
});
