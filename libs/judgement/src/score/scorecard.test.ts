import type { Change } from '@ovn-steward/contracts/changes/change';
import { createEngine } from '../create-engine';
import { logicalSwitch, object, pod, port, row, servedPod, type Built } from '../testing/builders';
import { History } from '../testing/history';
import { Scorecard } from './scorecard';
import type { ReleaseScore } from './score';
import { GRACE } from '../testing/grace';

const UNCHECKED = { checked: false };

const controller = (release: string) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { release, flags: [] } } },
  });
const lease = (holderIdentity: string) =>
  object('Lease', 'kube-system/kube-ovn-controller', { spec: { holderIdentity } });

/** A cluster that is followed, with what is given in it. */
function followed(...given: readonly Built[]) {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  const scorecard = new Scorecard(engine, (finding) => GRACE[finding.class]);
  const apply = (...changes: readonly Change[]): void =>
    scorecard.observe(engine.apply(changes, UNCHECKED));
  apply(
    history.put(object('Subnet', 'apps')),
    history.put(logicalSwitch()),
    ...given.map((it) => history.put(it)),
    ...history.listEverything(),
    ...history.heartbeats(0),
  );
  return {
    put: (...built: readonly Built[]) => apply(...built.map((it) => history.put(it))),
    remove: (...built: readonly Built[]) => apply(...built.flatMap((it) => history.remove(it))),
    /** So many minutes after the beginning all is known. */
    at: (minutes: number) => apply(...history.heartbeats(minutes)),
    of: (release = 'unknown'): ReleaseScore | undefined =>
      scorecard.score().releases.find((it) => it.release === release),
    score: () => scorecard.score(),
  };
}

const counts = ({ inTime, late, missed, pending, removedAlive, damaged }: ReleaseScore) => ({
  inTime,
  late: late.count,
  missed: missed.count,
  pending,
  removedAlive: removedAlive.count,
  damaged: damaged.count,
});
const NONE = { inTime: 0, late: 0, missed: 0, pending: 0, removedAlive: 0, damaged: 0 };

test('what lives scores nothing', () => {
  const cluster = followed(...servedPod('shop/web-0'));
  cluster.at(60);
  expect(counts(cluster.of()!)).toEqual(NONE);
  expect(cluster.score()).toMatchObject({ from: expect.any(String), through: expect.any(String) });
});

test('what dies and goes within its grace was collected in time', () => {
  const cluster = followed(port(), pod('shop/web-0'));
  cluster.at(1);
  cluster.remove(pod('shop/web-0'));
  expect(counts(cluster.of()!)).toEqual({ ...NONE, pending: 1 });
  cluster.at(10);
  cluster.remove(port());
  expect(counts(cluster.of()!)).toEqual({ ...NONE, inTime: 1 });
});

test('what goes after its grace was late, by how long it was dead', () => {
  const cluster = followed(port(), pod('shop/web-0'));
  cluster.at(1);
  cluster.remove(pod('shop/web-0'));
  cluster.at(31);
  expect(counts(cluster.of()!)).toEqual({ ...NONE, missed: 1 });
  cluster.remove(port());
  expect(counts(cluster.of()!)).toEqual({ ...NONE, late: 1 });
  expect(cluster.of()!.late.cases).toMatchObject([
    { rule: 'orphaned-logical-switch-port', seconds: 30 * 60, before: false },
  ]);
});

test('what was dead before is older than is known', () => {
  const cluster = followed(port());
  cluster.at(20);
  expect(cluster.of()!.missed.cases).toMatchObject([{ before: true, seconds: 20 * 60 }]);
});

test('what lives again was not collected', () => {
  const cluster = followed(port());
  cluster.at(20);
  cluster.put(pod('shop/web-0'));
  expect(counts(cluster.of()!)).toEqual(NONE);
});

test('a port that went under a living pod, and stayed away, was removed though alive', () => {
  const [one, ...rest] = servedPod('shop/web-0');
  const its = [one!, ...rest].find((built) => built.kind === 'Logical_Switch_Port')!;
  const cluster = followed(one!, ...rest);
  cluster.at(1);
  cluster.remove(its);
  expect(counts(cluster.of()!)).toEqual(NONE);
  cluster.at(2);
  expect(counts(cluster.of()!)).toEqual(NONE);
  cluster.at(4);
  expect(counts(cluster.of()!)).toEqual({ ...NONE, removedAlive: 1 });
  expect(cluster.of()!.removedAlive.cases[0]).toMatchObject({
    rule: 'missing-logical-switch-port',
    subject: { kind: 'Pod', name: 'web-0' },
  });
  cluster.put(its);
  cluster.at(9);
  expect(counts(cluster.of()!)).toEqual({ ...NONE, removedAlive: 1 });
});

test('a port that came back within the grace, and one that never was, are no removal', () => {
  const all = servedPod('shop/web-0');
  const its = all.find((built) => built.kind === 'Logical_Switch_Port')!;
  const cluster = followed(...all, ...servedPod('shop/web-1').filter((it) => it.kind !== its.kind));
  cluster.at(1);
  cluster.remove(its);
  cluster.put(its);
  cluster.at(30);
  expect(counts(cluster.of()!)).toEqual(NONE);
});

test('rows of others that are damaged count once', () => {
  const NEUTRON = { 'neutron:revision_number': '1' };
  const net = row('Logical_Switch', 'neutron-net', { uid: 'net', external_ids: NEUTRON });
  const machine = row('Logical_Switch_Port', 'vm', {
    uid: 'vm',
    external_ids: { ...NEUTRON, 'neutron:device_owner': 'compute:nova' },
    _parents: [{ kind: 'Logical_Switch', uid: 'net', column: 'ports' }],
  });
  const cluster = followed(net, machine);
  cluster.at(1);
  cluster.remove(net, machine);
  cluster.at(5);
  expect(counts(cluster.of()!)).toMatchObject({ damaged: 1 });
});

test('each release has what it did, and how often it started', () => {
  const cluster = followed(port(), pod('shop/web-0'), lease('a'));
  cluster.put(controller('v1.16.2'));
  cluster.put(lease('b'));
  cluster.at(1);
  cluster.remove(pod('shop/web-0'));
  cluster.at(2);
  cluster.remove(port());
  cluster.put(controller('v1.17.0'), lease('c'));
  cluster.put(port('web-9.shop'));
  cluster.at(60);
  expect(cluster.score().releases.map((of) => [of.release, of.starts, counts(of)])).toEqual([
    ['v1.16.2', 1, { ...NONE, inTime: 1 }],
    ['v1.17.0', 1, { ...NONE, missed: 1 }],
  ]);
});

test('nothing is said while not everything was read', () => {
  const engine = createEngine({ cluster: 'test', grace: GRACE });
  const scorecard = new Scorecard(engine, () => 0);
  scorecard.observe(engine.apply([], UNCHECKED));
  expect(scorecard.score().through).toBe('');
});
