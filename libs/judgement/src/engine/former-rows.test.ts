import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { createEngine } from '../create-engine';
import { type Built, object, row } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Engine } from './engine';
import { NO_GRACE } from '../testing/grace';

const START = Date.parse('2026-01-01T00:00:00Z');
const NEUTRON = { 'neutron:revision_number': '1' };
const inside = (kind: string, uid: string, column: string) => ({
  _parents: [{ kind, uid, column }],
});
const net = row('Logical_Switch', 'neutron-net', { uid: 'net', external_ids: NEUTRON });
const port = (owner: string) =>
  row('Logical_Switch_Port', 'vm', {
    uid: 'vm',
    external_ids: { ...NEUTRON, 'neutron:device_owner': owner },
    ...inside('Logical_Switch', 'net', 'ports'),
  });
const machine = port('compute:nova');
const group = row('Port_Group', 'pg_1', { uid: 'pg', external_ids: NEUTRON });
const acl = (tier?: number) =>
  row('ACL', '', {
    uid: 'acl',
    match: 'ip4',
    external_ids: { 'neutron:security_group_rule_id': 'r' },
    ...inside('Port_Group', 'pg', 'acls'),
    ...(tier !== undefined && { tier }),
  });
const router = (owner: Record<string, string>, uid: string) =>
  row('Logical_Router', uid, { uid, external_ids: owner });
const lease = (holderIdentity: string) =>
  object('Lease', 'kube-system/kube-ovn-controller', {
    uid: 'lease',
    spec: { holderIdentity, leaseTransitions: 1 },
  });
const global = row('NB_Global', '', { uid: 'global' });

let seq = 0;
/** A change after so many seconds. */
const at = (seconds: number, built: Built, type: 'put' | 'delete' = 'put'): Change => {
  const source = built.kind === 'Lease' ? 'kubernetes' : 'ovn-nb';
  const { kind, uid, name, namespace, object: content } = built;
  return {
    version: 1,
    id: `after-${++seq}`,
    cluster: 'test',
    source,
    stream: source === 'kubernetes' ? 'kubernetes/Lease' : source,
    epoch: 2,
    seq,
    cursor: '',
    observedAt: new Date(START + seconds * 1000).toISOString(),
    kind,
    uid,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(type === 'put' ? { type, object: content, hash: contentHash(content) } : { type }),
  } as Change;
};
const gone = (seconds: number, built: Built): Change => at(seconds, built, 'delete');

function engineOf(...given: Built[]): Engine {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
  engine.apply(world(...given).changes(), { checked: false });
  return engine;
}
const damage = (engine: Engine) =>
  engine.findings().filter((it) => it.rule === 'neighbour-damaged');
const subjects = (engine: Engine): string[] =>
  damage(engine)
    .map(({ subject }) => `${subject.kind} ${subject.uid}`)
    .sort();

test('the risk that came true stays the same finding while its victims are gone', () => {
  const controller = object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { release: 'v1.17.0', flags: [] } } },
  });
  const engine = engineOf(controller, net, machine);
  const risk = () => engine.findings().find((it) => it.rule === 'neighbours-at-risk');
  const { id, state } = risk()!;
  expect(state).toBe('suspected');
  engine.apply([gone(1, net), gone(1, machine)]);
  expect(risk()).toMatchObject({
    id,
    summary: expect.stringContaining('2 rows that are gone by now'),
  });
  engine.apply([at(2, router({}, 'other'))]);
  engine.apply([at(3, net), at(3, machine)]);
  expect(risk()).toMatchObject({ id, summary: expect.not.stringContaining('gone') });
});

test('a network of Neutron that vanishes under a machine is damage, with its rows as they were', () => {
  const engine = engineOf(net, machine);
  engine.apply([gone(1, net), gone(1, machine)]);
  expect(subjects(engine)).toEqual(['Logical_Switch net']);
  expect(damage(engine)[0]).toMatchObject({
    class: 'damage',
    owner: { owner: 'neutron' },
    was: [
      { table: 'Logical_Switch', uid: 'net', gone: true, row: net.object },
      { table: 'Logical_Switch_Port', uid: 'vm', gone: true, row: machine.object },
    ],
  });
});

const otherPort = port('network:dhcp');
test.each<[string, Built, readonly Change[]]>([
  ['without a machine in it', otherPort, [gone(1, otherPort), gone(1, net)]],
  ['after its last machine', machine, [gone(1, machine), gone(2, net)]],
])('a network that Neutron may have deleted itself is none: %s', (_, last, changes) => {
  const engine = engineOf(net, last);
  engine.apply(changes);
  expect(subjects(engine)).toEqual([]);
});

describe('a network that vanishes under a machine while others of Neutron stand', () => {
  const other = row('Logical_Switch', 'neutron-other', { uid: 'other', external_ids: NEUTRON });
  const own = row('Logical_Switch', 'apps', {
    uid: 'apps',
    external_ids: { vendor: 'kube-ovn' },
  });
  const unknownsOf = (engine: Engine): readonly string[] =>
    engine
      .unknowns()
      .filter((it) => it.rule === 'neighbour-damaged')
      .map((it) => it.reason);

  test("is not known to be damage: Neutron's repair deletes one that its database does not have", () => {
    const engine = engineOf(net, machine, other);
    engine.apply([gone(1, net), gone(1, machine)]);
    expect(subjects(engine)).toEqual([]);
    expect(unknownsOf(engine)).toEqual([
      expect.stringContaining('neutron-ovn-db-sync-util, where it repairs, deletes one'),
    ]);
  });

  test('does not make harm of what else Neutron deletes then', () => {
    const options = row('DHCP_Options', '', { uid: 'dhcp', external_ids: { subnet_id: 's' } });
    const engine = engineOf(net, machine, other, options);
    engine.apply([gone(1, net), gone(1, machine)]);
    engine.apply([gone(2, options)]);
    expect(subjects(engine)).toEqual([]);
  });

  test('is damage once the others go too, as a start of Kube-OVN takes all', () => {
    const engine = engineOf(net, machine, other, own);
    engine.apply([gone(1, net), gone(1, machine)]);
    engine.apply([gone(2, other)]);
    expect(subjects(engine)).toEqual(['Logical_Switch net', 'Logical_Switch other']);
    expect(unknownsOf(engine)).toEqual([]);
  });

  test('is damage where a controller of Kube-OVN took the lead before', () => {
    const engine = engineOf(net, machine, other, lease('old'));
    engine.apply([at(1, lease('new'))]);
    engine.apply([gone(2, net), gone(2, machine)]);
    expect(subjects(engine)).toEqual(['Logical_Switch net']);
  });
});

test('what a full read finds missing may have gone one after the other, and is not judged', () => {
  const engine = engineOf(net, machine);
  const {
    uid: _,
    name: __,
    kind: ___,
    ...begin
  } = gone(9, net) as Extract<Change, { uid: string }>;
  engine.apply([{ ...begin, type: 'snapshot-begin' } as Change, gone(9, net), gone(9, machine)]);
  expect(subjects(engine)).toEqual([]);
  expect(engine.unknowns().find((it) => it.rule === 'neighbour-damaged')?.reason).toContain(
    'it went while the database was not followed',
  );
});

test('it is resolved once every row is back, and not before', () => {
  const engine = engineOf(net, machine);
  engine.apply([gone(1, machine), gone(1, net)]);
  engine.apply([at(2, net)]);
  expect(subjects(engine)).toEqual(['Logical_Switch net']);
  engine.apply([at(3, machine)]);
  expect(subjects(engine)).toEqual([]);
  expect([...engine.world.entities('Former_Row')]).toEqual([]);
});

test("an ACL of Neutron's that leaves tier 0 is damage until it is back in it", () => {
  const engine = engineOf(group, acl());
  engine.apply([at(1, acl(2))]);
  expect(damage(engine)[0]).toMatchObject({
    subject: { kind: 'Port_Group', uid: 'pg' },
    was: [{ table: 'ACL', uid: 'acl', gone: false, row: acl().object }],
  });
  engine.apply([at(2, acl())]);
  expect(subjects(engine)).toEqual([]);
});

test("Kube-OVN's own ACL may change its tier", () => {
  const own = (tier?: number) =>
    row('ACL', '', {
      uid: 'own',
      external_ids: { parent: 'apps' },
      ...inside('Port_Group', 'pg', 'acls'),
      ...(tier !== undefined && { tier }),
    });
  const engine = engineOf(group, own());
  engine.apply([at(1, own(2))]);
  expect(subjects(engine)).toEqual([]);
});

describe('routers that vanish', () => {
  const lxd = router({ incus_network: '1' }, 'lxd');
  const neutron = router(NEUTRON, 'neutron-r');
  const second = router(NEUTRON, 'neutron-s');

  test.each<[string, readonly Change[], readonly string[]]>([
    [
      'of two owners within seconds',
      [gone(1, lxd), gone(2, neutron)],
      ['Logical_Router lxd', 'Logical_Router neutron-r'],
    ],
    ['of two owners a minute apart', [gone(1, lxd), gone(61, neutron)], []],
    ['of one owner', [gone(1, neutron), gone(1, second)], []],
  ])('%s', (_, changes, expected) => {
    const engine = engineOf(lxd, neutron, second);
    for (const change of changes) engine.apply([change]);
    expect(subjects(engine)).toEqual(expected);
  });

  test('nothing of it is damage when the database is another one', () => {
    const engine = engineOf(global, lxd, neutron);
    engine.apply([gone(1, lxd), gone(1, neutron), gone(1, global)]);
    expect(subjects(engine)).toEqual([]);
  });
});

test('the controller that took the lead at that time is named, and nobody is accused without evidence', () => {
  const lone = router(NEUTRON, 'neutron-r');
  const engine = engineOf(net, machine, lone, lease('old'));
  engine.apply([at(1, lease('new'))]);
  engine.apply([gone(2, lone)]);
  expect(subjects(engine)).toEqual([]);
  expect(engine.unknowns().filter((it) => it.rule === 'neighbour-damaged')).toMatchObject([
    { reason: expect.stringContaining("Kube-OVN's controller new was seen to take the lead") },
  ]);
  engine.apply([gone(30, net), gone(30, machine)]);
  expect(damage(engine)[0]!.summary).toContain(
    "Kube-OVN's controller new was seen to take the lead",
  );
});

describe('what another analyzer takes up', () => {
  const damaged = (): Engine => {
    const engine = engineOf(net, machine);
    engine.apply([gone(1, net), gone(1, machine)]);
    return engine;
  };

  test('from a checkpoint, and a row that comes back resolves it', () => {
    const before = damaged();
    const after = createEngine({ cluster: 'test', grace: NO_GRACE });
    after.world.restoreStreams(before.streams());
    for (const kind of before.world.kinds())
      after.world.restoreEntities(before.world.entities(kind));
    after.restore(before.findings(), before.now);
    expect(subjects(after)).toEqual(['Logical_Switch net']);
    after.apply([at(5, net), at(5, machine)]);
    expect(subjects(after)).toEqual([]);
  });

  test('from the finding alone, where the log no longer has what vanished', () => {
    const before = damaged();
    const after = createEngine({ cluster: 'test', grace: NO_GRACE });
    after.foldUnjudged(world().changes(), { checked: false });
    after.restore(before.findings(), before.now);
    expect(damage(after)).toMatchObject([{ subject: { uid: 'net' }, was: damage(before)[0]!.was }]);
  });
});
