import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { createEngine } from '../create-engine';
import { type Built, ip, object, pod } from '../testing/builders';
import { History } from '../testing/history';
import type { Entity } from '../world/entity';
import type { Engine } from './engine';
import { NO_GRACE } from '../testing/grace';

const DELETED = '2026-01-01T00:10:00Z';
const ALLOCATED = { 'ovn.kubernetes.io/allocated': 'true' };

const shop = (
  annotations: Record<string, string> = { 'ovn.kubernetes.io/logical_switch': 'apps' },
) => object('Namespace', 'shop', { metadata: { annotations } });
const subnet = object('Subnet', 'apps', {
  spec: { cidrBlock: '10.17.0.0/24', gateway: '10.17.0.1', excludeIps: ['10.17.0.1'] },
});
const redis = (replicas = 3, annotations: Record<string, string> = {}) =>
  object('StatefulSet', 'shop/redis', {
    spec: { replicas, template: { metadata: { annotations, labels: { app: 'redis' } } } },
  });
const machine = (networks: readonly object[], running = true) =>
  object('VirtualMachine', 'shop/vm', { spec: { running, template: { spec: { networks } } } });
const NICS = [
  { name: 'a', pod: {} },
  { name: 'b', multus: { networkName: 'shop/lan' } },
];
const record = (
  name: string,
  podType: string,
  address: string,
  uid: string,
  metadata: Record<string, unknown> = {},
) => {
  const [podName, namespace] = name.split('.');
  const spec = { podName, namespace, podType, v4IpAddress: address, ipAddress: address };
  return ip(name, spec, { uid, metadata });
};
const old = record('redis-1.shop', 'StatefulSet', '10.17.0.10', 'old');
const back = record('redis-1.shop', 'StatefulSet', '10.17.0.20', 'new');
const going = (built: Built, at = DELETED): Built => ({
  ...built,
  object: {
    ...built.object,
    metadata: { ...(built.object['metadata'] as object), deletionTimestamp: at },
  },
});

let history: History;
let engine: Engine;
const start = (...given: readonly Built[]): void => {
  history = new History();
  engine = createEngine({ cluster: 'test', grace: NO_GRACE });
  engine.apply([...given.map((it) => history.put(it)), ...history.listEverything()]);
};
const at = (minutes: number): void => void engine.apply(history.heartbeats(minutes));
const put = (...all: readonly Built[]): void => void engine.apply(all.map((it) => history.put(it)));
const remove = (...all: readonly Built[]): void =>
  void engine.apply(all.flatMap((it) => history.remove(it)));
const lose = (built: Built, deletedAt = DELETED): void => {
  put(going(built, deletedAt));
  remove(built);
};
/** Another process goes on with the state of this one. */
const restart = (): void => {
  const { world } = engine;
  const next = createEngine({ cluster: 'test', grace: NO_GRACE });
  next.world.restoreStreams(structuredClone(world.streams()));
  const kinds = [...world.kinds()].flatMap((kind) => [...world.entities(kind)]);
  next.world.restoreEntities(structuredClone(kinds) as Entity[]);
  next.restore(engine.findings(), engine.now);
  engine = next;
};
const found = (): readonly Finding[] =>
  engine.findings().filter(({ rule }) => rule.startsWith('kept-address'));
const rules = (): string[] =>
  found().map((it) => `${it.rule} ${it.subject.kind} ${it.subject.uid}`);
const LOST = ['kept-address-lost IP old'];
const CHANGED = ['kept-address-changed IP old'];

describe('a pod of a StatefulSet', () => {
  beforeEach(() => {
    start(shop(), subnet, redis(), old);
    at(10);
  });

  test('loses its address while it is absent, and comes back with another', () => {
    lose(old);
    expect(rules()).toEqual(LOST);
    put(back);
    expect(rules()).toEqual(CHANGED);
    expect(found()[0]!.summary).toContain('has 10.17.0.20 of subnet apps, and had 10.17.0.10');
    expect(found()[0]!.scope).toEqual({ subnet: 'apps' });
  });

  test('comes back with its address', () => {
    lose(old);
    put(record('redis-1.shop', 'StatefulSet', '10.17.0.10', 'new'));
    expect(rules()).toEqual([]);
  });

  test('is scaled down and up again: that gives another address', () => {
    put(redis(1));
    lose(old);
    put(redis(3), back);
    expect(rules()).toEqual([]);
  });

  test('is scaled down and up again, and the news of the record come last', () => {
    put(redis(1), redis(3));
    lose(old);
    put(back);
    expect(rules()).toEqual([]);
  });

  test('is scaled down and up again, and the news of the set come last', () => {
    lose(old);
    put(redis(1), redis(3), back);
    expect(rules()).toEqual([]);
  });

  test('is scaled down and up again while the set is read anew', () => {
    lose(old);
    engine.apply([history.begin('StatefulSet')]);
    expect(rules()).toEqual([]);
  });

  test('keeps what was lost before the set was read anew', () => {
    lose(old);
    at(20);
    engine.apply([history.begin('StatefulSet')]);
    expect(rules()).toEqual(LOST);
  });

  test('is of a set that grows, and still wants it', () => {
    lose(old);
    put(redis(5), back);
    expect(rules()).toEqual(CHANGED);
  });

  test.each([
    ['another subnet', { 'ovn.kubernetes.io/logical_switch': 'other' }],
    ['an address', { 'ovn.kubernetes.io/ip_address': '10.17.0.20' }],
    ['a pool', { 'ovn.kubernetes.io/ip_pool': 'pool' }],
    ['another first network', { 'v1.multus-cni.io/default-network': 'shop/lan' }],
  ])('asks for %s', (_, annotations) => {
    put(redis(3, annotations));
    at(30);
    lose(old, '2026-01-01T00:30:00Z');
    put(back);
    expect(rules()).toEqual([]);
  });

  test.each([
    ['nothing', {}, CHANGED],
    ['an address', { 'lan.shop.ovn.kubernetes.io/ip_address': '10.17.0.20' }, []],
    ['one of an interface', { 'lan.shop.kubernetes.io/ip_address.net1': '10.17.0.20' }, []],
    ['one of another network', { 'lan.web.kubernetes.io/ip_address.net1': '10.17.0.20' }, CHANGED],
    [
      'one in what Multus reads',
      {
        'k8s.v1.cni.cncf.io/networks':
          '[{"name":"lan","namespace":"shop","interface":"net1","ips":["10.17.0.20"]}]',
      },
      [],
    ],
  ])('asks for %s on its second interface', (_, annotations, expected) => {
    const spec = { podName: 'redis-1', namespace: 'shop', podType: 'StatefulSet' };
    const second = (uid: string, ipAddress: string) =>
      ip('redis-1.shop.lan.shop.ovn', { ...spec, v4IpAddress: ipAddress, ipAddress }, { uid });
    put(redis(3, { 'k8s.v1.cni.cncf.io/networks': 'lan', ...annotations }));
    put(second('old', '10.17.0.10'));
    at(30);
    lose(second('old', '10.17.0.10'), '2026-01-01T00:30:00Z');
    put(second('new', '10.17.0.20'));
    expect(rules()).toEqual(expected);
  });

  test('asks for another subnet afterwards', () => {
    lose(old);
    put(redis(3, { 'ovn.kubernetes.io/logical_switch': 'other' }));
    expect(rules()).toEqual([]);
  });

  test('is in a namespace that has another subnet by now', () => {
    put(shop({ 'ovn.kubernetes.io/logical_switch': 'other' }));
    lose(old);
    expect(rules()).toEqual([]);
  });

  test('had its record deleted while it used it, as people do', () => {
    put(pod('shop/redis-1', { metadata: { annotations: ALLOCATED } }));
    lose(old);
    put(back);
    expect(rules()).toEqual([]);
  });

  test('is of a set that was deleted, or made anew', () => {
    lose(old);
    remove(redis());
    expect(rules()).toEqual([]);
    put({ ...redis(), uid: 'another' }, back);
    expect(rules()).toEqual([]);
  });

  test('was lost while nothing was observed: what the set wanted then is not known', () => {
    engine.apply([history.put(going(old)), history.begin('IP')]);
    remove(old);
    expect(rules()).toEqual([]);
  });

  test('was lost in a full read that began in an earlier process', () => {
    engine.apply([history.put(going(old)), history.begin('IP')]);
    restart();
    remove(old);
    expect(rules()).toEqual([]);
  });

  test('was lost soon after a start, before which the set may have changed', () => {
    restart();
    lose(old);
    expect(rules()).toEqual([]);
  });

  test('was lost long after a start', () => {
    restart();
    at(20);
    lose(old, '2026-01-01T00:20:00Z');
    expect(rules()).toEqual(LOST);
  });

  test('is remembered for a week', () => {
    lose(old);
    at(10 + 7 * 24 * 60 - 1);
    expect(rules()).toEqual(LOST);
    at(10 + 7 * 24 * 60 + 1);
    expect(rules()).toEqual([]);
  });

  test('is remembered over a restart from the state', () => {
    lose(old);
    restart();
    expect(rules()).toEqual(LOST);
    put(redis(1));
    expect(rules()).toEqual([]);
  });
});

test('of all that is lost the newest ten thousand are remembered', () => {
  const many = Array.from({ length: 10_001 }, (_, i) =>
    record(`redis-${i}.shop`, 'StatefulSet', '10.17.0.10', `old-${i}`),
  );
  start(shop(), subnet, redis(20_000), ...many);
  at(10);
  engine.apply(many.flatMap((it) => [history.put(going(it)), ...history.remove(it)]));
  expect(engine.world.count('Former_Address')).toBe(10_000);
  expect(engine.world.entity('Former_Address', 'old-0')).toBeUndefined();
});

describe('a machine', () => {
  const second = (uid: string, address: string) => {
    const spec = { podName: 'vm', namespace: 'shop', podType: 'VirtualMachine' };
    return ip(
      'vm.shop.lan.shop.ovn',
      { ...spec, v4IpAddress: address, ipAddress: address },
      { uid },
    );
  };
  beforeEach(() => {
    start(shop(), subnet, machine(NICS), second('old', '10.17.0.10'));
    at(10);
  });

  test('gets another address on its second interface when it restarts', () => {
    lose(second('old', '10.17.0.10'));
    put(second('new', '10.17.0.20'));
    expect(rules()).toEqual(CHANGED);
  });

  test('lost its address while it was stopped', () => {
    put(machine(NICS, false));
    lose(second('old', '10.17.0.10'));
    expect(rules()).toEqual(LOST);
  });

  test('has the interface no more', () => {
    put(machine(NICS.slice(0, 1)));
    at(30);
    lose(second('old', '10.17.0.10'), '2026-01-01T00:30:00Z');
    expect(rules()).toEqual([]);
  });

  test('has another first network than the cluster’s', () => {
    const first = record('vm.shop', 'VirtualMachine', '10.17.0.30', 'first');
    put(machine(NICS.slice(1)), first);
    at(30);
    lose(first, '2026-01-01T00:30:00Z');
    expect(rules()).toEqual([]);
  });
});

describe('a reservation of a pod that does not exist', () => {
  const reserved = record('static-1.shop', '', '10.17.0.40', 'old', {
    labels: { 'ovn.kubernetes.io/ip_reserved': 'true' },
  });
  const lease = (holderIdentity: string) =>
    object('Lease', 'kube-system/kube-ovn-controller', { spec: { holderIdentity } });
  beforeEach(() => {
    start(shop(), subnet, reserved, lease('a'));
    at(10);
  });

  test('goes as a controller starts', () => {
    put(lease('b'));
    lose(reserved, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual(LOST);
    expect(found()[0]!.summary).toContain(
      'after a controller took the lead at 2026-01-01T00:10:00',
    );
  });

  test.each([
    ['while a controller leads, as a person deletes it', '2026-01-01T00:12:00Z'],
    ['before the controller started', '2026-01-01T00:09:00Z'],
  ])('goes %s', (_, deletedAt) => {
    put(lease('b'));
    lose(reserved, deletedAt);
    expect(rules()).toEqual([]);
  });

  test('is no reservation', () => {
    const plain = record('job.shop', '', '10.17.0.41', 'plain');
    put(plain, lease('b'));
    lose(plain, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual([]);
  });

  test('goes while its pod exists', () => {
    put(lease('b'), pod('shop/static-1'));
    lose(reserved, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual([]);
  });

  test('goes while pods are read anew', () => {
    put(lease('b'));
    engine.apply([history.begin('Pod')]);
    lose(reserved, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual([]);
  });

  test('goes while a launcher pod of its machine exists', () => {
    const annotations = { 'ovn.kubernetes.io/virtualmachine': 'static-1' };
    put(lease('b'), pod('shop/virt-launcher-static-1-abcde', { metadata: { annotations } }));
    lose(reserved, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual([]);
  });

  test('goes after a full read found another controller, whose start nobody saw', () => {
    engine.apply([history.begin('Lease'), history.put(lease('b')), history.complete('Lease')]);
    lose(reserved, '2026-01-01T00:10:20Z');
    expect(rules()).toEqual([]);
  });
});
