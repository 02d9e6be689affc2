import { operation as op, type Operation } from '@ovn-steward/ovsdb';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { PUT_BACK } from '@ovn-steward/systems/kubernetes/manifest';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, named } from './cluster';
import { createCluster } from './create-cluster';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { createReferee, type Referee } from './referee';

const PORT = '00000000-0000-4000-8000-00000000aaaa';
const ID = 'abc123';

let cluster: Cluster;
let referee: Referee;
let holder: string;
let group: string;
let revision = 0;

/** A write of an executor's, under its lock. */
const act = (...operations: readonly Operation[]): boolean => actAs(ID, ...operations);
const actAs = (id: string, ...operations: readonly Operation[]): boolean =>
  cluster.northbound.database.transact(
    [
      { op: 'assert', lock: 'ovn_steward_executor' },
      ...operations,
      op.comment(`ovn-steward: did it; action ${id}, rule r, finding f`),
    ],
    () => true,
  ).ok;
const claim = (target: Reference, more: Partial<ActionRecord> = {}): ActionRecord => {
  const action = {
    id: ID,
    revision: (revision += 1),
    rule: 'r',
    action: 'a',
    target,
    state: 'claimed',
    code: 'claimed',
    ...more,
  } as ActionRecord;
  referee.read(action);
  return action;
};
const port: Reference = {
  source: 'ovn-nb',
  kind: 'Logical_Switch_Port',
  uid: PORT,
  name: 'web-0.shop',
};
const remove = (): Operation =>
  op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(PORT)]]);
const insert = (more: object = {}): Operation[] => [
  op.insert(
    'Logical_Switch_Port',
    {
      name: 'web-0.shop',
      addresses: 'a',
      external_ids: ours({ ls: 'apps', pod: 'shop/web-0' }),
      ...more,
    },
    PORT,
  ),
  op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'insert', op.uuid(PORT)]]),
];
const counted = () => {
  const { wrongDeletions, doubleEffects, undoMismatches, removals, raced, undone } = referee.tally;
  return { wrongDeletions, doubleEffects, undoMismatches, removals, raced, undone };
};
const NOTHING = {
  wrongDeletions: 0,
  doubleEffects: 0,
  undoMismatches: 0,
  removals: 0,
  raced: 0,
  undone: 0,
};

beforeEach(async () => {
  cluster = await createCluster(random(1));
  referee = createReferee(cluster);
  holder = named(cluster, 'Logical_Switch', 'apps')!;
  group = '00000000-0000-4000-8000-00000000bbbb';
  cluster.write(...insert());
  cluster.write(
    op.insert(
      'Port_Group',
      {
        name: 'ovn.sg.db',
        ports: op.uuid(PORT),
        external_ids: ours({ type: 'security_group', sg: 'db' }),
      },
      group,
    ),
  );
});

describe('the referee counts', () => {
  test('a removal of garbage, which is right', () => {
    claim(port);
    expect(act(remove())).toBe(true);
    referee.settle();
    expect(counted()).toEqual({ ...NOTHING, removals: 1 });
  });

  test('what was no garbage when it was committed, unless it is back', () => {
    cluster.kubernetes.put({ kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' } });
    claim(port);
    act(remove());
    referee.settle(true);
    expect(counted()).toEqual({ ...NOTHING, removals: 1, wrongDeletions: 1 });
  });

  test('what was raced and put back, apart', () => {
    cluster.kubernetes.put({ kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' } });
    claim(port);
    act(remove());
    act(
      ...insert(),
      op.mutate('Port_Group', op.byUuid(group), [['ports', 'insert', op.uuid(PORT)]]),
    );
    referee.settle();
    expect(counted()).toEqual({ ...NOTHING, removals: 1, undone: 1 });
  });

  test('what nobody wanted any more a moment later, as raced', () => {
    cluster.kubernetes.put({ kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' } });
    claim(port);
    act(remove());
    referee.observe();
    expect(counted()).toEqual({ ...NOTHING, removals: 1 });
    cluster.kubernetes.remove('Pod', 'shop', 'web-0');
    referee.observe();
    cluster.kubernetes.put({
      kind: 'VirtualMachine',
      metadata: { name: 'web-0', namespace: 'shop' },
    });
    referee.settle(true);
    expect(counted()).toEqual({ ...NOTHING, removals: 1, raced: 1 });
  });

  test.each<[string, string, number]>([
    ['what its owner recreated, as raced', '192.168.0.1', 0],
    ['what was made for another, not', '192.168.0.9', 1],
  ])('%s', (_, match, wrong) => {
    const policy = (to: string, ids: object, uuid: string) =>
      add(
        'Logical_Router_Policy',
        uuid,
        {
          priority: 30000,
          match: `ip4.dst == ${to}`,
          action: 'allow',
          external_ids: ours({ node: 'worker-1', ...ids }),
        },
        {
          table: 'Logical_Router',
          uuid: named(cluster, 'Logical_Router', 'ovn-cluster')!,
          column: 'policies',
        },
      );
    cluster.write(...policy('192.168.0.1', {}, PORT));
    claim({ source: 'ovn-nb', kind: 'Logical_Router_Policy', uid: PORT, name: '' });
    expect(act(op.mutate('Logical_Router', [], [['policies', 'delete', op.uuid(PORT)]]))).toBe(
      true,
    );
    cluster.write(...policy(match, { 'address-family': '4' }, group.replace('b', 'c')));
    referee.settle(true);
    expect(counted()).toEqual({ ...NOTHING, removals: 1, raced: 1 - wrong, wrongDeletions: wrong });
  });

  test('that an entry was put in again, which nobody can know from one that never went', () => {
    const balancer = named(cluster, 'Load_Balancer', 'cluster-tcp-loadbalancer')!;
    const entry = op.map([['10.96.0.11:80', '10.16.0.9:8080']]);
    const put = (): boolean =>
      cluster.write(op.mutate('Load_Balancer', op.byUuid(balancer), [['vips', 'insert', entry]]));
    put();
    claim({
      source: 'ovn-nb',
      kind: 'Load_Balancer',
      uid: balancer,
      name: 'cluster-tcp-loadbalancer',
      part: { column: 'vips', key: '10.96.0.11:80' },
    });
    act(op.mutate('Load_Balancer', op.byUuid(balancer), [['vips', 'delete', entry]]));
    expect(referee.committed().get(ID)).toEqual({ removals: 1, undos: 0, overtaken: false });
    put();
    expect(referee.committed().get(ID)).toEqual({ removals: 1, undos: 0, overtaken: true });
  });

  test('what is not the target, what goes along, and what is changed beside it', () => {
    claim({ ...port, uid: group, kind: 'Port_Group' });
    act(remove());
    expect(referee.tally.wrongDeletions).toBeGreaterThan(0);
    const before = referee.tally.wrongDeletions;
    act(op.update('Logical_Switch', op.byUuid(holder), { name: 'renamed' }));
    expect(referee.tally.wrongDeletions).toBeGreaterThan(before);
  });

  test('a write of no claim', () => {
    act(remove());
    expect(counted().wrongDeletions).toBe(1);
  });

  describe('of several writes that are one transaction', () => {
    const OTHER = '00000000-0000-4000-8000-00000000dddd';
    const other = { ...port, uid: OTHER, name: 'web-1.shop' };
    const comment = (id: string): Operation =>
      op.comment(`ovn-steward: did it; action ${id}, rule r, finding f`);
    const leave = (uuid: string): Operation =>
      op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(uuid)]]);
    const together = (...writes: readonly (readonly Operation[])[]): boolean =>
      cluster.northbound.database.transact(
        [{ op: 'assert', lock: 'ovn_steward_executor' }, ...writes.flat()],
        () => true,
      ).ok;
    beforeEach(() => {
      cluster.write(
        op.insert(
          'Logical_Switch_Port',
          { name: other.name, external_ids: ours({ ls: 'apps', pod: 'shop/web-1' }) },
          OTHER,
        ),
        op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'insert', op.uuid(OTHER)]]),
      );
      claim(port);
      claim(other, { id: 'def456' });
    });

    test('each, by its own claim', () => {
      expect(together([leave(PORT), comment(ID)], [leave(OTHER), comment('def456')])).toBe(true);
      referee.settle(true);
      expect(counted()).toEqual({ ...NOTHING, removals: 2 });
      expect(referee.tally.together).toBe(2);
    });

    test('the one that was no garbage', () => {
      cluster.kubernetes.put({ kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop' } });
      together([leave(PORT), comment(ID)], [leave(OTHER), comment('def456')]);
      referee.settle(true);
      expect(counted()).toEqual({ ...NOTHING, removals: 2, wrongDeletions: 1 });
      expect(referee.offences[0]!.what).toContain('web-1');
    });

    test('the one that takes another thing', () => {
      together([leave(OTHER), comment(ID)], [leave(PORT), comment('def456')]);
      expect(counted().wrongDeletions).toBe(4);
    });

    test('nothing, where one of them is refused', () => {
      const guard = op.wait('Logical_Switch', op.byUuid(holder), ['name'], [{ name: 'other' }]);
      expect(together([leave(PORT), comment(ID)], [guard, leave(OTHER), comment('def456')])).toBe(
        false,
      );
      expect(counted()).toEqual(NOTHING);
      expect(referee.tally).toMatchObject({ together: 0, refusals: 1 });
    });
  });

  test('one thing removed twice, and one undo done twice', () => {
    claim(port);
    act(remove());
    act(
      ...insert(),
      op.mutate('Port_Group', op.byUuid(group), [['ports', 'insert', op.uuid(PORT)]]),
    );
    act(remove());
    expect(counted()).toMatchObject({ doubleEffects: 1, removals: 2 });
    act(
      ...insert(),
      op.mutate('Port_Group', op.byUuid(group), [['ports', 'insert', op.uuid(PORT)]]),
    );
    expect(counted()).toMatchObject({ doubleEffects: 2, undone: 2 });
  });

  test('one thing that another action puts back: whoever removed it may call it done or undone', () => {
    claim(port);
    act(remove());
    claim(port, { id: 'def456' });
    actAs(
      'def456',
      ...insert(),
      op.mutate('Port_Group', op.byUuid(group), [['ports', 'insert', op.uuid(PORT)]]),
    );
    expect(counted()).toMatchObject({ doubleEffects: 0, undoMismatches: 0, undone: 1 });
    expect(referee.committed().get(ID)).toEqual({ removals: 1, undos: 1, overtaken: true });
  });

  test.each<[string, () => Operation[]]>([
    [
      'with another value',
      () => [
        ...insert({ addresses: 'b' }),
        op.mutate('Port_Group', op.byUuid(group), [['ports', 'insert', op.uuid(PORT)]]),
      ],
    ],
    ['without who listed it', () => insert()],
    [
      'as something that never was',
      () => [op.insert('Address_Set', { name: 'x' }, '00000000-0000-4000-8000-00000000cccc')],
    ],
  ])('what is put back %s', (_, back) => {
    claim(port);
    act(remove());
    act(...back());
    expect(counted()).toMatchObject({ undoMismatches: 1 });
  });

  test('objects by the same measure', () => {
    const { kubernetes } = cluster;
    const object = kubernetes.put({
      kind: 'IP',
      metadata: { name: 'web-0.shop' },
      spec: { namespace: 'shop', podName: 'web-0' },
    });
    const action = claim({
      source: 'kubernetes',
      kind: 'IP',
      name: 'web-0.shop',
      uid: object.metadata.uid,
    });
    const watched = referee.watch(kubernetes, { about: () => action, now: () => 0 });
    const call = { verb: 'delete', kind: 'IP', namespace: undefined, name: 'web-0.shop' } as const;
    const create = { ...call, verb: 'create' } as const;
    kubernetes.put({ kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' } });
    watched.before(call);
    kubernetes.remove('IP', undefined, 'web-0.shop');
    watched.after(call);
    watched.before(create);
    kubernetes.put({
      kind: 'IP',
      metadata: { name: 'web-0.shop', annotations: { [PUT_BACK]: ID } },
      spec: { namespace: 'shop', podName: 'other' },
    });
    watched.after(create);
    expect(counted()).toEqual({ ...NOTHING, removals: 1, undone: 1, undoMismatches: 1 });
    kubernetes.remove('IP', undefined, 'web-0.shop');
    watched.before(create);
    kubernetes.put({
      kind: 'IP',
      metadata: { name: 'web-0.shop' },
      spec: { namespace: 'shop', podName: 'web-0' },
    });
    watched.after(create);
    expect(counted()).toMatchObject({ undone: 1, undoMismatches: 2 });
    kubernetes.put({ kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } });
    const other = { ...call, kind: 'Pod', namespace: 'shop', name: 'p' };
    watched.before(other);
    kubernetes.remove('Pod', 'shop', 'p');
    watched.after(other);
    expect(counted().wrongDeletions).toBe(1);
  });

  describe('what is sent within a hold', () => {
    const held = (scope: object, more: object = {}): void =>
      referee.decided({
        version: 1,
        type: 'hold',
        id: 'c',
        cluster: 'berlin-1',
        by: 'anna',
        at: '',
        scope,
        reason: '',
        until: null,
        ...more,
      } as never);
    const executor = { about: () => undefined, now: () => Date.parse('2026-05-04T00:00:00Z') };
    const sent = (...operations: readonly Operation[]): void => {
      referee.sends(executor, operations);
      act(...operations);
    };
    beforeEach(() => {
      cluster.write(...insert());
      claim(port);
    });

    test.each<[string, object, object, number]>([
      ['of everything', {}, {}, 1],
      ['of the rule', { rule: 'r' }, {}, 1],
      ['of another rule', { rule: 'other' }, {}, 0],
      ['of the subnet', { subnet: 'apps' }, {}, 1],
      ['of another subnet', { subnet: 'data' }, {}, 0],
      ['of the router', { vpc: 'ovn-cluster' }, {}, 1],
      ['that is over', {}, { until: '2026-05-03T00:00:00Z' }, 0],
      ['that lets undo through, and not removals', {}, { except: ['undo'] }, 1],
    ])('a hold %s', (_, scope, more, offences) => {
      held(scope, more);
      sent(remove());
      expect(referee.tally.heldEffects).toBe(offences);
    });

    test('a hold that somebody ended, or that came when it was sent already', () => {
      held({});
      referee.decided({ type: 'resume', scope: {} } as never);
      const operations = [remove()];
      referee.sends(executor, operations);
      held({});
      act(...operations);
      expect(referee.tally).toMatchObject({ heldEffects: 0, removals: 1 });
    });
  });
});
