import { operation, type Operation } from '@ovn-steward/ovsdb';
import { plantOf } from '../testing/planted';
import { GROUND } from '../testing/plants';
import { UndoBed } from '../testing/undo-bed';

const { byUuid, insert, map, mutate, set, uuid } = operation;
const [OTHER, GROUP, MEMBER] = [
  '00000000-0000-4000-8000-000000000abc',
  '00000000-0000-4000-8000-000000000abd',
  '00000000-0000-4000-8000-000000000abe',
] as const;

let bed: UndoBed;
beforeEach(async () => {
  bed = await UndoBed.open();
});

const balancer = (vip: string, protocol: string, name = 'odnat-b4'): Operation =>
  insert('Load_Balancer', { name, protocol, vips: map([[vip, '10.99.0.4:53']]) }, OTHER);
const onto = (table: string, row: string): Operation =>
  mutate(table, byUuid(row), [['load_balancer', 'insert', uuid(OTHER)]]);
const inGroupOf = (table: string, row: string): readonly Operation[] => [
  insert('Load_Balancer_Group', { name: 'g', load_balancer: set([uuid(OTHER)]) }, GROUP),
  mutate(table, byUuid(row), [['load_balancer_group', 'insert', uuid(GROUP)]]),
];

describe.each([
  ['a balancer', 'delete-load-balancer', '10.97.0.4:53', 'udp', 'tcp'],
  ['an address of one', 'remove-load-balancer-vip', '10.97.0.1:80', 'tcp', 'udp'],
])('%s is put back', (_, id, vip, protocol, another) => {
  it.each([
    ['on the same router', () => [onto('Logical_Router', GROUND.router)]],
    ['on the same switch', () => [onto('Logical_Switch', GROUND.switch)]],
    ['in a group of the same switch', () => inGroupOf('Logical_Switch', GROUND.switch)],
  ])('not where another has the address %s', async (__, attach) => {
    const undo = await bed.removed(id);
    const operations = await bed.planned(undo);
    bed.peer(balancer(vip, protocol), ...attach());
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining(`${vip} belongs to Load_Balancer odnat-b4`),
    });
    expect(await bed.write(operations)).toBe('timed out');
  });

  it('not where one that was there gets the address at the last moment', async () => {
    const undo = await bed.removed(id);
    bed.peer(balancer('10.97.9.9:53', protocol), onto('Logical_Router', GROUND.router));
    const operations = await bed.planned(undo);
    bed.peer(
      mutate('Load_Balancer', byUuid(OTHER), [['vips', 'insert', map([[vip, '10.99.0.4:53']])]]),
    );
    expect(await bed.write(operations)).toBe('timed out');
  });

  it('where another has it for another protocol, on another router, or has another port', async () => {
    const undo = await bed.removed(id);
    const [elsewhere] = [...bed.northbound.database.rows('Logical_Router').keys()].filter(
      (it) => it !== GROUND.router,
    ) as [string];
    bed.peer(balancer(vip, another), onto('Logical_Router', GROUND.router));
    bed.peer(
      insert('Load_Balancer', { name: 'far', protocol, vips: map([[vip, '10.99.0.4:53']]) }, GROUP),
      mutate('Logical_Router', byUuid(elsewhere), [['load_balancer', 'insert', uuid(GROUP)]]),
    );
    bed.peer(
      insert(
        'Load_Balancer',
        { name: 'near', protocol, vips: map([[`${vip}9`, '10.99.0.4:53']]) },
        MEMBER,
      ),
      mutate('Logical_Router', byUuid(GROUND.router), [['load_balancer', 'insert', uuid(MEMBER)]]),
    );
    const operations = await bed.planned(undo);
    expect(await bed.write(operations)).toBe('committed');
  });
});

it('an address of a balancer of a group is not put back where another of a member of the group has it', async () => {
  const undo = await bed.removed('remove-load-balancer-vip');
  bed.peer(
    insert(
      'Load_Balancer_Group',
      { name: 'g', load_balancer: set([uuid(GROUND.balancer)]) },
      GROUP,
    ),
    insert('Logical_Switch', { name: 'member', load_balancer_group: set([uuid(GROUP)]) }, MEMBER),
  );
  expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
  bed.peer(balancer('10.97.0.1:80', 'tcp'), onto('Logical_Switch', MEMBER));
  expect(await bed.plan(undo)).toMatchObject({
    is: 'impossible',
    reason: expect.stringContaining('odnat-b4'),
  });
});

describe('a NAT is put back', () => {
  const nat = (router: string, type = 'dnat_and_snat'): readonly Operation[] => [
    insert('NAT', { type, external_ip: '198.51.100.77', logical_ip: '10.99.0.78' }, OTHER),
    mutate('Logical_Router', byUuid(router), [['nat', 'insert', uuid(OTHER)]]),
  ];
  const elsewhere = (): string =>
    [...bed.northbound.database.rows('Logical_Router').keys()].find((it) => it !== GROUND.router)!;
  const rule = (kind: string, more: object = {}) => ({
    apiVersion: 'kubeovn.io/v1',
    kind,
    metadata: { name: 'its-user' },
    spec: {},
    status: { v4Eip: '198.51.100.77', vpc: 'planted-vpc' },
    ...more,
  });

  it.each([
    ['the router', () => GROUND.router],
    ['another router', elsewhere],
  ])(
    'not where a NAT of %s has its address, also if that comes at the last moment',
    async (_, router) => {
      const undo = await bed.removed('delete-nat');
      const operations = await bed.planned(undo);
      bed.peer(...nat(router()));
      expect(await bed.plan(undo)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining('198.51.100.77'),
      });
      expect(await bed.write(operations)).toBe('timed out');
    },
  );

  it.each(['OvnFip', 'OvnSnatRule', 'OvnDnatRule'])(
    'not where an %s has its address, unless that is being deleted',
    async (kind) => {
      const undo = await bed.removed('delete-nat');
      bed.kubernetes.put(rule(kind));
      expect(await bed.plan(undo)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining(`198.51.100.77 belongs to ${kind} its-user`),
      });
      bed.kubernetes.put(
        rule(kind, {
          metadata: {
            name: 'its-user',
            deletionTimestamp: '2026-03-02T10:00:00Z',
            finalizers: ['x'],
          },
        }),
      );
      expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
    },
  );

  it('of a whole network beside others of its router with the same address, and not beside those of another', async () => {
    const snat = [
      operation.update('NAT', byUuid(plantOf('delete-nat').target.uid), {
        type: 'snat',
        logical_ip: '10.99.0.0/24',
      }),
    ];
    const undo = await bed.removed('delete-nat', snat);
    bed.peer(...nat(GROUND.router, 'snat'));
    bed.kubernetes.put(rule('OvnSnatRule'));
    expect(await bed.plan(undo)).toMatchObject({ is: 'ready' });
    bed.kubernetes.put(rule('OvnSnatRule', { status: { v4Eip: '198.51.100.77', vpc: 'another' } }));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('OvnSnatRule its-user'),
    });
  });

  it('not by who cannot ask', async () => {
    const undo = await bed.removed('delete-nat');
    bed.kubernetes.forbidden.add('list OvnFip');
    await expect(bed.plan(undo)).rejects.toMatchObject({ code: 'source-forbidden' });
  });
});
