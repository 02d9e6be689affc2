import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { createEngine } from '../create-engine';
import { type Built, object, row } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Engine } from './engine';
import { stillClaims } from './lost-members';
import { NO_GRACE } from '../testing/grace';

const START = Date.parse('2026-01-01T00:00:00Z');
const NEUTRON = { 'neutron:revision_number': '1' };
const GROUP = 'a1-b2';
const group = row('Port_Group', 'pg_a1_b2', {
  uid: 'pg',
  external_ids: { 'neutron:security_group_id': GROUP },
});
const net = row('Logical_Switch', 'neutron-net', { uid: 'net', external_ids: NEUTRON });
const port = (groups: readonly string[], ids = GROUP) =>
  row('Logical_Switch_Port', 'vm', {
    uid: 'vm',
    external_ids: {
      ...NEUTRON,
      'neutron:device_owner': 'compute:nova',
      'neutron:security_group_ids': ids,
    },
    _parents: [{ kind: 'Logical_Switch', uid: 'net', column: 'ports' }],
    ...(groups.length > 0 && { _port_groups: groups }),
  });
const addresses = (...held: string[]) =>
  row('Address_Set', 'as', { uid: 'as', external_ids: NEUTRON, addresses: held });
const VIPS = { '10.0.0.9:80': '10.0.0.2:80', '10.0.0.9:443': '10.0.0.2:443' };
const OCTAVIA = {
  'neutron:vip': '10.0.0.9',
  listener_l1: '80:pool_p1',
  pool_p1: 'member_m1_10.0.0.2:80_s',
};
const balancer = (vips: Record<string, string>, ids: Record<string, string> = OCTAVIA) =>
  row('Load_Balancer', '9f0c', { uid: 'lb', external_ids: ids, vips });

let seq = 0;
const at = (seconds: number, built: Built, type: 'put' | 'delete' = 'put'): Change =>
  ({
    version: 1,
    id: `after-${++seq}`,
    cluster: 'test',
    source: 'ovn-nb',
    stream: 'ovn-nb',
    epoch: 2,
    seq,
    cursor: '',
    observedAt: new Date(START + seconds * 1000).toISOString(),
    kind: built.kind,
    uid: built.uid,
    name: built.name,
    ...(type === 'put'
      ? { type, object: built.object, hash: contentHash(built.object) }
      : { type }),
  }) as Change;

function engineOf(...given: Built[]): Engine {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
  engine.apply(world(...given).changes(), { checked: false });
  return engine;
}
const damage = (engine: Engine) =>
  engine.findings().filter((it) => it.rule === 'neighbour-damaged');
const unknowns = (engine: Engine) =>
  engine.unknowns().filter((it) => it.rule === 'neighbour-damaged');

test('a port that left a group of Neutron, and still says that it is in it, until it is back', () => {
  const engine = engineOf(net, group, port(['pg']));
  engine.apply([at(1, port([]))]);
  expect(damage(engine)).toMatchObject([
    {
      subject: { kind: 'Logical_Switch', uid: 'net' },
      summary: expect.stringContaining('1 port in Logical_Switch neutron-net left a port group'),
      remedy: { action: 'restore-rows' },
      was: [
        {
          table: 'Logical_Switch_Port',
          uid: 'vm',
          owner: 'neutron',
          gone: false,
          row: { _port_groups: ['pg'] },
        },
      ],
    },
  ]);
  engine.apply([at(2, port(['pg']))]);
  expect(damage(engine)).toEqual([]);
});

test('it ends where the port no longer says so; in one step with it that is no damage', () => {
  const engine = engineOf(net, group, port(['pg']));
  engine.apply([at(1, port([]))]);
  expect(damage(engine)).toHaveLength(1);
  engine.apply([at(2, port([], ''))]);
  expect(damage(engine)).toEqual([]);
  const other = engineOf(net, group, port(['pg']));
  other.apply([at(1, port([], ''))]);
  expect([damage(other), unknowns(other)]).toEqual([[], []]);
});

test("a group of Kube-OVN's is its own", () => {
  const own = row('Port_Group', 'pg_a1_b2', {
    uid: 'pg',
    external_ids: { vendor: 'kube-ovn', np: 'shop/web' },
  });
  const engine = engineOf(net, own, port(['pg']));
  engine.apply([at(1, port([]))]);
  expect(damage(engine)).toEqual([]);
});

test('a VIP that the keys of Octavia still say, with the VIPs that went', () => {
  const engine = engineOf(balancer(VIPS));
  engine.apply([at(1, balancer({ '10.0.0.9:443': '10.0.0.2:443' }))]);
  expect(damage(engine)).toMatchObject([
    {
      summary: expect.stringContaining('lost VIPs'),
      was: [{ uid: 'lb', gone: false, row: { vips: { '10.0.0.9:80': '10.0.0.2:80' } } }],
    },
  ]);
  // Its owner may have taken this one.
  engine.apply([at(2, balancer({}))]);
  expect(damage(engine)[0]?.was?.[0]?.row['vips']).toEqual({ '10.0.0.9:80': '10.0.0.2:80' });
  engine.apply([at(3, balancer({}, {}))]);
  expect(damage(engine)).toEqual([]);
});

test('addresses are lost with what else was damaged, and else as their owner wants', () => {
  const machine = port([]);
  const alone = engineOf(net, machine, addresses('10.0.0.1', '10.0.0.2'));
  alone.apply([at(1, addresses('10.0.0.2'))]);
  expect([damage(alone), unknowns(alone)]).toEqual([[], []]);
  alone.apply([at(60, net, 'delete'), at(60, machine, 'delete')]);
  expect(damage(alone).map(({ subject }) => subject.uid)).toEqual(['net']);

  const together = engineOf(net, machine, addresses('10.0.0.1', '10.0.0.2'));
  together.apply([at(1, net, 'delete'), at(1, machine, 'delete'), at(2, addresses('10.0.0.2'))]);
  const [, set] = damage(together);
  expect(set).toMatchObject({
    subject: { kind: 'Address_Set', uid: 'as' },
    summary: expect.stringContaining('Address_Set as lost addresses of neutron'),
    was: [{ uid: 'as', gone: false, row: { addresses: ['10.0.0.1'] } }],
  });
  together.apply([at(3, addresses('10.0.0.1', '10.0.0.2', '10.0.0.3'))]);
  expect(damage(together).map(({ subject }) => subject.uid)).toEqual(['net']);
});

test('nor are they in doubt where a controller takes the lead meanwhile', () => {
  const lease = (holderIdentity: string, seconds: number): Change =>
    ({
      ...at(
        seconds,
        object('Lease', 'kube-system/kube-ovn-controller', {
          uid: 'lease',
          spec: { holderIdentity, leaseTransitions: 1 },
        }),
      ),
      namespace: 'kube-system',
      source: 'kubernetes',
      stream: 'kubernetes/Lease',
    }) as Change;
  const engine = engineOf(net, addresses('10.0.0.1', '10.0.0.2'));
  engine.apply([lease('one', 1)]);
  engine.apply([lease('two', 2), at(3, addresses('10.0.0.2'))]);
  expect([damage(engine), unknowns(engine)]).toEqual([[], []]);
  engine.apply([at(4, net, 'delete')]);
  expect(unknowns(engine).map(({ subject }) => subject?.uid)).toEqual(['net']);
});

test('what lost members and then vanished was as before it lost them', () => {
  const engine = engineOf(net, port([]), balancer(VIPS));
  engine.apply([at(1, balancer({ '10.0.0.9:443': '10.0.0.2:443' }))]);
  engine.apply([at(2, balancer({}), 'delete')]);
  expect(damage(engine)).toMatchObject([
    { subject: { uid: 'lb' }, was: [{ uid: 'lb', gone: true, row: { vips: VIPS } }] },
  ]);
});

test.each<[string, Record<string, string>]>([
  ['a listener that is off', { ...OCTAVIA, listener_l1: '', 'listener_l1:D': '80:pool_p1' }],
  ['a pool without members', { ...OCTAVIA, pool_p1: '' }],
  ['a member that is down', { ...OCTAVIA, 'neutron:member_status': '{"m1": "OFFLINE"}' }],
  ['a balancer that is off', { ...OCTAVIA, enabled: 'False' }],
  ['another port', { ...OCTAVIA, listener_l1: '8080:pool_p1' }],
  ['another address', { ...OCTAVIA, 'neutron:vip': '10.0.0.8' }],
])('Octavia takes a VIP away itself: %s', (_, external_ids) => {
  expect(
    stillClaims('Load_Balancer', { external_ids: OCTAVIA }, ['10.0.0.9:80'], []),
  ).toBeDefined();
  expect(stillClaims('Load_Balancer', { external_ids }, ['10.0.0.9:80'], [])).toBeUndefined();
});

test('another process takes up what a finding says of it', () => {
  const engine = engineOf(net, group, port(['pg']));
  engine.apply([at(1, port([]))]);
  const other = createEngine({ cluster: 'test', grace: NO_GRACE });
  other.foldUnjudged(world(net, group, port([])).changes(), { checked: false });
  other.restore(engine.findings(), engine.now);
  expect(damage(other).map(({ was }) => was)).toEqual(damage(engine).map(({ was }) => was));
  other.apply([at(2, port(['pg']))]);
  expect(damage(other)).toEqual([]);
});
