import { operation } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { EXECUTOR_ACTIONS } from '../actions/registry';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { plantOf, ROW_ACTIONS } from '../testing/planted';
import { GROUND } from '../testing/plants';
import { UndoBed } from '../testing/undo-bed';
import { outOfBounds } from './within-bounds';

type Rows = Undo & { readonly of: 'rows' };

const { map, set, uuid } = operation;
const STRANGE = '00000000-0000-4000-8000-000000000abc';
let bed: UndoBed;
beforeEach(async () => {
  bed = await UndoBed.open();
});

const ACL: StoredRow = {
  table: 'ACL',
  uuid: STRANGE,
  name: '',
  columns: { action: 'drop', direction: 'to-lport', match: 'ip4', priority: 32767 },
};
const held = (by: string, table: string, column: string): StoredLink => ({
  table,
  uuid: by,
  name: table === 'Port_Group' ? 'ovn.sg.living' : 'planted-net',
  column,
  to: { table: 'ACL', uuid: STRANGE },
  strength: 'strong',
});
const first = (undo: Rows, columns: object): Rows => ({
  ...undo,
  rows: [
    { ...undo.rows[0]!, columns: { ...undo.rows[0]!.columns, ...columns } },
    ...undo.rows.slice(1),
  ],
});
const aclOf = (undo: Rows, columns: object): Rows => ({
  ...undo,
  rows: undo.rows.map((it) =>
    it.table === 'ACL' ? { ...it, columns: { ...it.columns, ...columns } } : it,
  ),
});

test('as it was recorded, a group comes back with its own ACLs', async () => {
  expect(await bed.plan(await bed.removed('delete-port-group'))).toMatchObject({ is: 'ready' });
});

test.each<[string, (undo: Rows) => Rows, RegExp]>([
  [
    'an ACL on a switch',
    (undo) => ({
      ...undo,
      rows: [...undo.rows, ACL],
      links: [...undo.links, held(GROUND.switch, 'Logical_Switch', 'acls')],
    }),
    /cannot have gone with Port_Group ovn.sg.gone/,
  ],
  ['an ACL nobody holds', (it) => ({ ...it, rows: [...it.rows, ACL] }), /cannot have gone with/],
  [
    'an ACL of its own, and into another group as well',
    (undo) => ({
      ...first(
        { ...undo, rows: [...undo.rows, ACL] },
        {
          acls: set([
            ...undo.rows.filter((each) => each.table === 'ACL').map((each) => uuid(each.uuid)),
            uuid(STRANGE),
          ]),
        },
      ),
      links: [...undo.links, held(GROUND.group, 'Port_Group', 'acls')],
    }),
    /which there cannot have been/,
  ],
  [
    'a route that is no part of a group',
    (undo) => ({
      ...undo,
      rows: [
        ...undo.rows,
        {
          table: 'Logical_Router_Static_Route',
          uuid: STRANGE,
          name: '',
          columns: { ip_prefix: '0.0.0.0/0', nexthop: '10.0.0.1' },
        },
      ],
    }),
    /cannot have gone with/,
  ],
  [
    'a reference from a switch to the group',
    (undo) => ({
      ...undo,
      links: [
        ...undo.links,
        {
          ...held(GROUND.switch, 'Logical_Switch', 'acls'),
          to: { table: 'Port_Group', uuid: undo.rows[0]!.uuid },
          strength: 'weak',
        },
      ],
    }),
    /which there cannot have been/,
  ],
  [
    'a reference to a row that is not in the record',
    (it) => ({ ...it, links: [...it.links, held(GROUND.switch, 'Logical_Switch', 'acls')] }),
    /which there cannot have been/,
  ],
  ['one row twice', (it) => ({ ...it, rows: [...it.rows, it.rows[1]!] }), /one row twice/],
  ['another name than it says', (it) => first(it, { name: 'ovn.sg.other' }), /another name/],
  [
    "Neutron's key on the group",
    (undo) =>
      first(undo, {
        external_ids: map([
          ['vendor', 'kube-ovn'],
          ['neutron:x', 'y'],
        ]),
      }),
    /not proven to be Kube-OVN's/,
  ],
  ['no keys on the group', (it) => first(it, { external_ids: map([]) }), /not proven to be/],
  [
    'the mark of a person on the group',
    (undo) =>
      first(undo, {
        external_ids: map([
          ['vendor', 'kube-ovn'],
          ['type', 'security_group'],
          ['sg', 'gone'],
          ['ovn-steward.dev/protect', 'x'],
        ]),
      }),
    /not proven to be/,
  ],
  [
    "another holder's name on its ACLs",
    (undo) =>
      aclOf(undo, {
        external_ids: map([
          ['vendor', 'kube-ovn'],
          ['parent', 'ovn.sg.living'],
        ]),
      }),
    /names ovn.sg.living/,
  ],
])('with %s it is not written', async (_, forge, says) => {
  const undo = (await bed.removed('delete-port-group')) as Rows;
  const before = contentOf(bed.northbound);
  expect(await bed.plan(forge(undo))).toMatchObject({
    is: 'impossible',
    reason: expect.stringMatching(says),
  });
  expect(contentOf(bed.northbound)).toEqual(before);
});

test('an ACL is not put into a switch of somebody else', async () => {
  const undo = (await bed.removed('delete-acl')) as Rows;
  const [link] = undo.links;
  bed.northbound.database.transact([
    operation.mutate(link!.table, operation.byUuid(link!.uuid), [
      ['external_ids', 'insert', map([['neutron:network_name', 'x']])],
    ]),
  ]);
  expect(await bed.plan(undo)).toMatchObject({ is: 'impossible' });
});

test('a row is not put where two rows held it, nor where none did', async () => {
  const undo = (await bed.removed('delete-acl')) as Rows;
  for (const links of [[], [...undo.links, ...undo.links]])
    expect(await bed.plan({ ...undo, links })).toMatchObject({
      is: 'impossible',
      reason: expect.any(String),
    });
});

describe('a record is held against the action it says to undo', () => {
  const target = (id: string): Reference => plantOf(id).target;

  test.each(ROW_ACTIONS)('$id: its own, and no other', async ({ id }) => {
    const undo = await bed.removed(id);
    expect(outOfBounds({ action: id, target: target(id), undo })).toBeUndefined();
    const others = EXECUTOR_ACTIONS.filter((it) => it.id !== id).map((it) => it.id);
    const taken = others.filter(
      (action) => outOfBounds({ action, target: target(id), undo }) === undefined,
    );
    expect(taken).toEqual([]);
    const elsewhere: readonly Partial<Reference>[] = [
      { uid: STRANGE },
      { name: 'another' },
      { kind: 'NB_Global' },
      { source: 'kubernetes' },
      { part: { column: 'ports', key: STRANGE } },
    ];
    for (const changed of elsewhere)
      expect(outOfBounds({ action: id, target: { ...target(id), ...changed }, undo })).toEqual(
        expect.stringContaining('is not what'),
      );
  });

  test('nothing, and an action nobody knows, restore nothing', () => {
    expect(outOfBounds({ action: 'delete-acl', target: target('delete-acl'), undo: null })).toEqual(
      'nothing of it was recorded',
    );
    expect(
      outOfBounds({
        action: 'write',
        target: target('delete-acl'),
        undo: { of: 'rows', rows: [ACL], links: [] },
      }),
    ).toEqual('this version has no action write');
  });
});

describe('a record of Kubernetes', () => {
  const VIP: Reference = { source: 'kubernetes', kind: 'Vip', name: 'v', uid: 'u' };
  const manifest = {
    apiVersion: 'kubeovn.io/v1',
    kind: 'Vip',
    metadata: { name: 'v', labels: { a: 'b' } },
    spec: { subnet: 'apps' },
  };
  const object = (more: object = {}): Undo => ({
    of: 'object',
    kind: 'Vip',
    manifest: { ...manifest, ...more },
  });
  const bounds = (action: string, target: Reference, undo: Undo) =>
    outOfBounds({ action, target, undo });

  test('of the object itself is in bounds', () => {
    expect(bounds('delete-vip', VIP, object())).toBeUndefined();
  });

  test.each<[string, Undo]>([
    ['of another name', object({ metadata: { name: 'w' } })],
    ['in a namespace', object({ metadata: { name: 'v', namespace: 'shop' } })],
    ['of another kind', object({ kind: 'Subnet' })],
    [
      'of another kind altogether',
      { of: 'object', kind: 'Subnet', manifest: { ...manifest, kind: 'Subnet' } },
    ],
    ['of another API', object({ apiVersion: 'v1' })],
    ['with a status', object({ status: {} })],
    ['with what the server writes', object({ metadata: { name: 'v', uid: 'u' } })],
    [
      'with our own mark',
      object({ metadata: { name: 'v', annotations: { 'ovn-steward.dev/put-back': 'x' } } }),
    ],
    ['without metadata', object({ metadata: null })],
    [
      'that is a field',
      { of: 'field', kind: 'Vip', name: 'v', uid: 'u', path: '/metadata/finalizers/-', value: 'x' },
    ],
  ])('%s is not', (_, undo) => {
    expect(bounds('delete-vip', VIP, undo)).toEqual(expect.any(String));
  });

  const MARK = 'ovn.kubernetes.io/allocated';
  const POD: Reference = {
    source: 'kubernetes',
    kind: 'Pod',
    namespace: 'shop',
    name: 'p',
    uid: 'u',
    part: { column: 'metadata.annotations', key: MARK },
  };
  const field = (more: object = {}): Undo => ({
    of: 'field',
    kind: 'Pod',
    namespace: 'shop',
    name: 'p',
    uid: 'u',
    path: '/metadata/annotations/ovn.kubernetes.io~1allocated',
    value: 'true',
    ...more,
  });

  test('of the annotation that was taken is in bounds', () => {
    expect(bounds('reallocate-pod', POD, field())).toBeUndefined();
  });

  test.each<[string, Undo, Partial<Reference>?]>([
    ['another pod', field({ name: 'q' })],
    ['another incarnation', field({ uid: 'v' })],
    ['another namespace', field({ namespace: 'kube-system' })],
    [
      'another annotation',
      field({ path: '/metadata/annotations/ovn.kubernetes.io~1logical_switch' }),
    ],
    ['another field', field({ path: '/spec/nodeName' })],
    ['a finalizer', field({ path: '/metadata/finalizers/-' })],
    ['no text', field({ value: { a: 1 } })],
    [
      'an annotation that is no mark',
      field({ path: '/metadata/annotations/a' }),
      { part: { column: 'metadata.annotations', key: 'a' } },
    ],
    ['a label', field(), { part: { column: 'metadata.labels', key: MARK } }],
  ])('of %s is not', (_, undo, other = {}) => {
    expect(bounds('reallocate-pod', { ...POD, ...other }, undo)).toEqual(expect.any(String));
  });

  const FINALIZER = 'kubeovn.io/kube-ovn-controller';
  const HANGING: Reference = { ...VIP, part: { column: 'metadata.finalizers', key: FINALIZER } };

  test.each<[string, Undo, boolean, Partial<Reference>?]>([
    [
      'its finalizer',
      field({
        kind: 'Vip',
        namespace: undefined,
        name: 'v',
        path: '/metadata/finalizers/-',
        value: FINALIZER,
      }),
      true,
    ],
    [
      'the object that went with it',
      object({ metadata: { name: 'v', finalizers: [FINALIZER] } }),
      true,
    ],
    [
      'another finalizer',
      field({
        kind: 'Vip',
        namespace: undefined,
        name: 'v',
        path: '/metadata/finalizers/-',
        value: 'x/y',
      }),
      false,
    ],
    [
      'the object with other finalizers',
      object({ metadata: { name: 'v', finalizers: [FINALIZER, 'x/y'] } }),
      false,
    ],
    ['the object with none', object(), false],
    [
      'the finalizer of somebody else',
      field({
        kind: 'Vip',
        namespace: undefined,
        name: 'v',
        path: '/metadata/finalizers/-',
        value: 'x/y',
      }),
      false,
      { part: { column: 'metadata.finalizers', key: 'x/y' } },
    ],
  ])('of a finalizer: %s', (_, undo, within, other = {}) => {
    expect(bounds('strip-finalizer', { ...HANGING, ...other }, undo) === undefined).toBe(within);
  });

  test('of a pod is never written', () => {
    expect(
      bounds(
        'restart-pod',
        { source: 'kubernetes', kind: 'Pod', namespace: 'shop', name: 'p', uid: 'u' },
        {
          of: 'object',
          kind: 'Pod',
          manifest: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } },
        },
      ),
    ).toContain('a pod cannot be put back');
  });
});
