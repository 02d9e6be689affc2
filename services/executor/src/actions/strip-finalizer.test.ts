import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { type JsonRow, type Operation, operation } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { FINALIZER, hanging, kubeOvnObject, COMMENT, signal } from '../testing/action-cases';
import { addressHolder } from '../testing/address-holder';
import { memoryActionCluster } from '../testing/action-cluster';
import { prepareUndo } from '../undo/undo';
import { applyEffect } from '../work/apply-effect';
import { describeKubernetesAction } from './kubernetes-action.contract';
import stripFinalizer from './strip-finalizer';
import deleteLogicalRouter from './delete-logical-router';
import { describeRank } from './rank.contract';
import { actionCase } from './testing/strip-finalizer';

let cluster: Awaited<ReturnType<typeof memoryActionCluster>>;
beforeAll(async () => {
  cluster = await memoryActionCluster();
});
describeKubernetesAction(() => cluster, stripFinalizer, actionCase);
describeRank(stripFinalizer, deleteLogicalRouter);

const prepare = ({ kind, metadata: { name, uid } }: KubernetesObject, key = FINALIZER) =>
  stripFinalizer.prepare(
    {
      source: 'kubernetes',
      kind: String(kind),
      name,
      uid,
      part: { column: 'metadata.finalizers', key },
    } satisfies Reference,
    COMMENT,
    cluster,
    signal,
  );

/** A port of a pod in the switch `apps`, and a load balancer. */
const rows = (name: string) => {
  const uuid = crypto.randomUUID();
  cluster.northbound.database.transact([
    operation.insert('Logical_Switch_Port', { name }, uuid),
    operation.insert('Logical_Switch', { name: 'apps', ports: operation.uuid(uuid) }),
    operation.insert('Load_Balancer', { name }),
  ]);
};

test("only with a person's word", () => expect(stripFinalizer.onlyApproved).toBe(true));

test('the object goes with its last finalizer', async () => {
  const ip = await hanging(cluster, addressHolder('IP', 'last'));
  const prepared = await prepare(ip);
  if (prepared.is !== 'prepared') throw new Error(prepared.reason);
  await applyEffect(prepared.effect, cluster, signal);
  expect(await cluster.kubernetes.get('IP', undefined, 'last', signal)).toBeUndefined();
});

test.each(['IP', 'OvnDnatRule'])(
  'refuses %s while anything of it is in the Northbound',
  async (kind) => {
    const given =
      kind === 'IP'
        ? addressHolder('IP', `left-${kind}`.toLowerCase())
        : kubeOvnObject(kind, `left-${kind}`.toLowerCase(), { ovnEip: 'eip' });
    const object = await hanging(cluster, given);
    expect(await prepare(object)).toMatchObject({ is: 'prepared' });
    rows(given.metadata.name);
    expect(await prepare(object)).toMatchObject({
      is: 'refused',
      code: 'changed',
      reason: expect.stringContaining('is there'),
    });
  },
);

test('refuses an object that is not being deleted', async () => {
  expect(await prepare(await cluster.put(addressHolder('IP', 'living')))).toMatchObject({
    is: 'refused',
    code: 'changed',
  });
});

test.each(['example.com/finalizer', 'foregroundDeletion', 'kubeovn.io/other', '', '0'])(
  'never takes a finalizer of others: %j',
  async (finalizer) => {
    const given = addressHolder('IP', 'foreign');
    const object = await hanging(cluster, {
      ...given,
      metadata: { ...given.metadata, finalizers: [FINALIZER, ...(finalizer ? [finalizer] : [])] },
    });
    expect(await prepare(object, finalizer)).toMatchObject({ is: 'refused', code: 'unsupported' });
    cluster.kubernetes.remove('IP', undefined, 'foreign');
  },
);

test('takes the older name of the finalizer, too, and only it', async () => {
  const given = addressHolder('IP', 'older');
  const object = await hanging(cluster, {
    ...given,
    metadata: {
      ...given.metadata,
      finalizers: ['example.com/a', 'kube-ovn-controller', FINALIZER],
    },
  });
  const prepared = await prepare(object, 'kube-ovn-controller');
  if (prepared.is !== 'prepared') throw new Error(prepared.reason);
  expect(await applyEffect(prepared.effect, cluster, signal)).toEqual({ is: 'applied' });
  expect(
    (await cluster.kubernetes.get('IP', undefined, 'older', signal))?.metadata.finalizers,
  ).toEqual(['example.com/a', FINALIZER]);
  expect(await prepareUndo(prepared.undo, COMMENT, cluster, signal)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('takes no finalizers any more'),
  });
});

const keyed = (key: string, value: string) => ({ external_ids: operation.map([[key, value]]) });

/** What of each kind may be left, by the kind: refused while it is there, whoever made it. */
const LEFT: readonly [kind: string, what: string, rows: (name: string) => readonly Operation[]][] =
  [
    [
      'Vip',
      'its typed port',
      (name) => inSwitch('Logical_Switch_Port', 'ports', { name: `${name}.shop` }),
    ],
    [
      'Vip',
      'its port on an attached network',
      (name) =>
        inSwitch('Logical_Switch_Port', 'ports', {
          name: `${name}.shop.lan.shop.ovn`,
          external_ids: operation.map([
            ['ls', 'apps'],
            ['pod', `shop/${name}`],
            ['vendor', 'kube-ovn'],
          ]),
        }),
    ],
    [
      'IPPool',
      'its address set',
      (name) => [operation.insert('Address_Set', { name: 'any', ...keyed('ippool', name) })],
    ],
    ['OvnEip', 'its port', (name) => inSwitch('Logical_Switch_Port', 'ports', { name })],
    [
      'OvnEip',
      'its router port',
      (name) =>
        onRouter('Logical_Router_Port', 'ports', {
          name,
          mac: '0a:00:00:00:00:01',
          networks: '10.1.0.1/24',
        }),
    ],
    [
      'OvnFip',
      'its NAT',
      () =>
        onRouter('NAT', 'nat', {
          type: 'dnat_and_snat',
          external_ip: '198.51.100.9',
          logical_ip: '10.1.0.5',
        }),
    ],
    [
      'OvnSnatRule',
      'its NAT',
      () =>
        onRouter('NAT', 'nat', {
          type: 'snat',
          external_ip: '198.51.100.9',
          logical_ip: '10.1.0.5',
        }),
    ],
    [
      'VpcNatGateway',
      'a session of it',
      (name) => [
        operation.insert('BFD', {
          logical_port: 'bfd@x',
          dst_ip: '10.1.0.9',
          ...keyed('vpc-nat-gateway', name),
        }),
      ],
    ],
    ['Subnet', 'its switch', (name) => [operation.insert('Logical_Switch', { name })]],
    [
      'Subnet',
      'its router port',
      (name) =>
        onRouter('Logical_Router_Port', 'ports', {
          name: `tenant-${name}`,
          mac: '0a:00:00:00:00:01',
          networks: '10.1.0.1/24',
        }),
    ],
    [
      'Subnet',
      'a policy of it',
      (name) =>
        onRouter('Logical_Router_Policy', 'policies', {
          priority: 1,
          match: '1',
          action: 'allow',
          ...keyed('subnet', name),
        }),
    ],
    [
      'Subnet',
      'its DHCP options',
      (name) => [operation.insert('DHCP_Options', { cidr: '10.1.0.0/24', ...keyed('ls', name) })],
    ],
    ['Vpc', 'its router', (name) => [operation.insert('Logical_Router', { name })]],
  ];

function inSwitch(table: string, column: string, row: JsonRow): readonly Operation[] {
  const uuid = crypto.randomUUID();
  return [
    operation.insert(table, row, uuid),
    operation.insert('Logical_Switch', { name: 'any', [column]: operation.uuid(uuid) }),
  ];
}
function onRouter(table: string, column: string, row: JsonRow): readonly Operation[] {
  const uuid = crypto.randomUUID();
  return [
    operation.insert(table, row, uuid),
    operation.insert('Logical_Router', { name: 'any', [column]: operation.uuid(uuid) }),
  ];
}

test.each(LEFT)('refuses %s while %s is left', async (kind, what, rowsOf) => {
  const name = `left-${kind}-${what.replaceAll(' ', '-')}`.toLowerCase();
  const given = kubeOvnObject(
    kind,
    name,
    kind === 'Vip'
      ? { namespace: 'shop', subnet: 'apps', type: 'switch_lb_vip' }
      : { vpc: 'tenant' },
  );
  const object = await hanging(cluster, {
    ...given,
    status: { v4Eip: '198.51.100.9', v4Ip: '10.1.0.5', v4IpCidr: '10.1.0.5' },
  });
  expect(await prepare(object)).toMatchObject({ is: 'prepared' });
  const before = cluster.northbound.database.transact(rowsOf(name));
  expect(before.ok).toBe(true);
  expect(await prepare(object)).toMatchObject({
    is: 'refused',
    code: 'changed',
    reason: expect.stringContaining('is there'),
  });
  cluster.northbound.database.transact(
    ['NAT', 'Logical_Router_Port'].map((it) => operation.remove(it, [])),
  );
  cluster.northbound.database.transact([
    operation.remove('Logical_Router', [['name', '==', 'any']]),
  ]);
});

test('of a typed Vip without a namespace the port on an attached network is found, which has no keys but its switch', async () => {
  const object = await hanging(
    cluster,
    kubeOvnObject('Vip', 'front', { subnet: 'apps', type: 'kube_host_vm_vip' }),
  );
  const add = (name: string) =>
    cluster.northbound.database.transact(
      inSwitch('Logical_Switch_Port', 'ports', { name, ...keyed('ls', 'apps') }),
    ).ok;
  expect(add('other..lan.shop.ovn')).toBe(true);
  expect(await prepare(object)).toMatchObject({ is: 'prepared' });
  expect(add('front..lan.shop.ovn')).toBe(true);
  expect(await prepare(object)).toMatchObject({
    is: 'refused',
    reason: expect.stringContaining('front..lan.shop.ovn is there'),
  });
});

test("a port of a machine's that is called like a Vip without a type is none of the Vip's", async () => {
  const object = await hanging(
    cluster,
    kubeOvnObject('Vip', 'machine', { namespace: 'shop', subnet: 'apps' }),
  );
  expect(
    cluster.northbound.database.transact(
      inSwitch('Logical_Switch_Port', 'ports', { name: 'machine.shop' }),
    ).ok,
  ).toBe(true);
  expect(await prepare(object)).toMatchObject({ is: 'prepared' });
});

test.each(['OvnFip', 'OvnSnatRule'])(
  'refuses %s that does not say which address it had',
  async (kind) => {
    expect(
      await prepare(await hanging(cluster, kubeOvnObject(kind, `mute-${kind}`.toLowerCase(), {}))),
    ).toMatchObject({ is: 'refused', code: 'unknown' });
  },
);

test.each(['IptablesEIP', 'IptablesFIPRule', 'IptablesDnatRule', 'IptablesSnatRule', 'QoSPolicy'])(
  'takes that of %s, which has nothing in OVN',
  async (kind) => {
    expect(
      await prepare(await hanging(cluster, kubeOvnObject(kind, `none-${kind}`.toLowerCase(), {}))),
    ).toMatchObject({ is: 'prepared' });
  },
);

test('fails when the Northbound cannot be read: nobody heard of is not nobody', async () => {
  const ip = await hanging(cluster, addressHolder('IP', 'blind'));
  const away = {
    ...cluster,
    northbound: { ...cluster.northbound, read: () => Promise.reject(new Error('away')) },
  };
  await expect(
    stripFinalizer.prepare(
      {
        source: 'kubernetes',
        kind: 'IP',
        name: 'blind',
        uid: ip.metadata.uid,
        part: { column: 'metadata.finalizers', key: FINALIZER },
      },
      COMMENT,
      away,
      signal,
    ),
  ).rejects.toThrow('away');
});

test('one that lost the finalizer meanwhile is not touched, nor is another of its finalizers', async () => {
  const given = addressHolder('IP', 'lost');
  const object = await hanging(cluster, {
    ...given,
    metadata: { ...given.metadata, finalizers: ['example.com/a'] },
  });
  expect(await prepare(object)).toMatchObject({ is: 'refused', code: 'gone' });
});

test('is bound to the finalizer that is to go, at its place', async () => {
  const given = addressHolder('IP', 'bound');
  const object = await hanging(cluster, {
    ...given,
    metadata: { ...given.metadata, finalizers: ['example.com/a', FINALIZER] },
  });
  expect(await prepare(object)).toMatchObject({
    effect: {
      patch: [
        { op: 'test', path: '/metadata/finalizers/1', value: FINALIZER },
        { op: 'remove', path: '/metadata/finalizers/1' },
      ],
    },
  });
});

test('puts back only the finalizer that was taken', async () => {
  const ip = await hanging(cluster, addressHolder('IP', 'restored'));
  const target: Reference = {
    source: 'kubernetes',
    kind: 'IP',
    name: 'restored',
    uid: ip.metadata.uid,
    part: { column: 'metadata.finalizers', key: FINALIZER },
  };
  const prepared = await prepare(ip);
  if (prepared.is !== 'prepared' || prepared.undo.of !== 'object') throw new Error('no object');
  const { undo } = prepared;
  const having = (finalizers: readonly string[]): typeof undo => ({
    ...undo,
    manifest: {
      ...undo.manifest,
      metadata: { ...(undo.manifest['metadata'] as object), finalizers },
    },
  });
  const field = {
    of: 'field',
    kind: 'IP',
    name: 'restored',
    uid: ip.metadata.uid,
    path: '/metadata/finalizers/-',
  } as const;
  expect([
    stripFinalizer.restores(target, undo),
    stripFinalizer.restores(target, { ...field, value: FINALIZER }),
  ]).toEqual([undefined, undefined]);
  for (const other of [
    having([FINALIZER, 'example.com/a']),
    having(['example.com/a']),
    having([]),
    { ...field, value: 'example.com/a' },
  ])
    expect(stripFinalizer.restores(target, other)).toMatch(/finalizer/);
});
