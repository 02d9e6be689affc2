import { createEngine } from '../create-engine';
import { ip, logicalSwitch, object, pod, port } from '../testing/builders';
import { History } from '../testing/history';
import { GRACE } from '../testing/grace';

const MINUTE = 60_000;
const UNCHECKED = { checked: false };

/** A world with one orphaned port, listed completely. */
function orphaned() {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  engine.apply(
    [
      ...history.listEverything(),
      history.put(object('Subnet', 'apps')),
      history.put(logicalSwitch()),
      history.put(port()),
      ...history.heartbeats(0),
    ],
    UNCHECKED,
  );
  const states = (): string[] => engine.findings().map((it) => it.state);
  return { engine, history, states };
}

test('suspects first, and confirms when every source has reported a time beyond the grace', () => {
  const { engine, history, states } = orphaned();
  expect(states()).toEqual(['suspected']);
  engine.apply(history.heartbeats(14), UNCHECKED);
  expect(states()).toEqual(['suspected']);
  engine.apply(history.heartbeats(16), UNCHECKED);
  expect(states()).toEqual(['confirmed']);
});

test('one silent source keeps a suspicion a suspicion', () => {
  const { engine, history, states } = orphaned();
  engine.apply(
    history.heartbeats(60).filter((it) => it.stream !== 'kubernetes/Vip'),
    UNCHECKED,
  );
  expect(states()).toEqual(['suspected']);
});

test('a silent source that its check did not read does not hold a suspicion back', () => {
  const { engine, history, states } = orphaned();
  engine.apply(
    history.heartbeats(60).filter((it) => it.stream !== 'kubernetes/OvnDnatRule'),
    UNCHECKED,
  );
  expect(states()).toEqual(['confirmed']);
});

test('a finding goes when its subject goes, and when its owner comes back', () => {
  const { engine, history, states } = orphaned();
  engine.apply([history.put(pod('shop/web-0'))], UNCHECKED);
  expect(states()).toEqual([]);
  engine.apply(history.remove(pod('shop/web-0')), UNCHECKED);
  expect(states()).toEqual(['suspected']);
  const { findings } = engine.apply(history.remove(port()), UNCHECKED);
  expect(findings.map((it) => [it.state, it.revision])).toEqual([['resolved', 4]]);
  expect(engine.resolved()).toEqual(findings);
  expect(engine.finding(findings[0]!.id)).toBe(findings[0]);
});

test('a source that is lost neither confirms nor resolves, and the grace starts again when it is back', () => {
  const { engine, history, states } = orphaned();
  engine.apply([history.lose('Pod'), ...history.heartbeats(60)], UNCHECKED);
  expect(states()).toEqual(['suspected']);
  expect(engine.unknowns().map((it) => it.rule)).toContain('orphaned-logical-switch-port');
  engine.apply([history.complete('Pod')], UNCHECKED);
  expect(states()).toEqual(['suspected']);
  engine.apply(history.heartbeats(70), UNCHECKED);
  expect(states()).toEqual(['suspected']);
  engine.apply(history.heartbeats(76), UNCHECKED);
  expect(states()).toEqual(['confirmed']);
});

test('a suspicion that turns into its opposite starts its grace again', () => {
  const history = new History();
  const subnet = (v4usingIPs: number) =>
    object('Subnet', 'web', { spec: { cidrBlock: '10.18.0.0/24' }, status: { v4usingIPs } });
  const drift = createEngine({ cluster: 'test', grace: { ...GRACE, drift: 15 * MINUTE } });
  const states = (): string[] =>
    drift
      .findings()
      .filter((it) => it.rule === 'subnet-usage-drift')
      .map((it) => it.state);
  drift.apply(
    [
      ...history.listEverything(),
      history.put(subnet(0)),
      history.put(ip('web-0.shop', { subnet: 'web' })),
      ...history.heartbeats(0),
    ],
    UNCHECKED,
  );
  drift.apply(history.heartbeats(14), UNCHECKED);
  drift.apply([history.put(subnet(2))], UNCHECKED);
  drift.apply(history.heartbeats(16), UNCHECKED);
  expect(states()).toEqual(['suspected']);
  drift.apply([history.put(subnet(3)), ...history.heartbeats(29)], UNCHECKED);
  expect(states()).toEqual(['confirmed']);
});

test('a re-created namesake is another finding', () => {
  const { engine, history } = orphaned();
  const [before] = engine.findings();
  engine.apply(
    [...history.remove(port()), history.put(port('web-0.shop', { uid: 'another' }))],
    UNCHECKED,
  );
  const [after] = engine.findings();
  expect(after).toMatchObject({
    state: 'suspected',
    subject: { name: 'web-0.shop', uid: 'another' },
  });
  expect(after!.id).not.toBe(before!.id);
});

test('what the user protects is not reported as garbage', () => {
  const history = new History();
  const engine = createEngine({
    cluster: 'test',
    grace: GRACE,
    isProtected: (it) => it.name === 'web-0.shop',
  });
  engine.apply(
    [
      ...history.listEverything(),
      history.put(object('Subnet', 'apps')),
      history.put(logicalSwitch()),
      history.put(port()),
    ],
    UNCHECKED,
  );
  expect(engine.findings()).toEqual([]);
});

test('an engine restored from what another knew goes on where it was', () => {
  const { engine, history } = orphaned();
  engine.apply(history.heartbeats(10), UNCHECKED);
  const entities = ['Logical_Switch', 'Logical_Switch_Port', 'Node'].flatMap((kind) => [
    ...engine.world.entities(kind),
  ]);
  const second = createEngine({ cluster: 'test', grace: GRACE });
  second.world.restoreStreams(structuredClone(engine.streams()));
  second.world.restoreEntities(entities);
  expect(second.restore(engine.findings(), engine.now)).toEqual([]);
  second.apply(history.heartbeats(16), UNCHECKED);
  expect(second.findings().map((it) => [it.state, it.firstSeen])).toEqual([
    ['confirmed', engine.findings()[0]!.firstSeen],
  ]);
});

test('a count or digest that disagrees makes the kind unknown until it is read again', () => {
  const { engine, history } = orphaned();
  const end = history.complete('Pod');
  engine.apply([{ ...end, ...(end.type === 'snapshot-end' ? { count: 7 } : {}) } as typeof end]);
  expect(
    engine.unknowns().find((it) => it.rule === 'orphaned-logical-switch-port')?.reason,
  ).toMatch(/Pod .*7 objects/);
});

test('why a rule is withheld is what is known now, also of a kind that was never listed whole', () => {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  const streams = history.listEverything();
  const [vlans] = streams.filter(({ stream }) => stream === 'kubernetes/Vlan');
  engine.apply(streams.filter((it) => it !== vlans));
  const place = {
    source: 'kubernetes',
    stream: 'kubernetes/Vlan',
    kind: 'Vlan',
    uid: 'u',
  } as const;
  engine.apply([{ type: 'unreadable', ...place, at: 'steward.changes.v1/3/42', why: 'it is odd' }]);
  engine.apply([{ ...vlans, count: 1 } as NonNullable<typeof vlans>]);
  expect(engine.unknowns().find((it) => it.rule === 'vlan-of-subnet-missing')?.reason).toContain(
    'the record steward.changes.v1/3/42 about Vlan u could not be read: it is odd',
  );
});

test('a cluster that becomes known at once is judged with pauses, to the same end', () => {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  const ports = Array.from({ length: 1000 }, (_, n) =>
    history.put(
      port(`web-${n}.shop`, {
        addresses: [
          `0a:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')} 10.17.${n >> 8}.${n & 255}`,
        ],
      }),
    ),
  );
  const work = engine.applying([
    ...ports,
    history.put(object('Subnet', 'apps')),
    history.put(logicalSwitch()),
    ...history.listEverything(),
  ]);
  let pauses = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pauses++;
  expect(pauses).toBeGreaterThanOrEqual(5);
  expect(
    step.value.findings.filter((it) => it.rule === 'orphaned-logical-switch-port'),
  ).toHaveLength(1000);
});
