import type { Change } from '@ovn-steward/contracts/changes/change';
import { createEngine } from '../create-engine';
import {
  type Built,
  chassis,
  databasePair,
  logicalSwitch,
  object,
  port,
  row,
} from '../testing/builders';
import { History } from '../testing/history';
import { NO_GRACE } from '../testing/grace';

const SOUTHBOUND = ['Chassis', 'SB_Global', 'Encap', 'Port_Binding', 'Chassis_Private'];

const controller = (release: string, ...flags: string[]) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { release, flags } } },
  });

/** An engine that followed a cluster with these things, and what that rule finds in it. */
function followed(rule: string, ...given: readonly Built[]) {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
  let minutes = 0;
  const apply = (...changes: readonly Change[]): void => {
    engine.apply(changes);
    engine.apply(history.heartbeats((minutes += 1)));
  };
  apply(...given.map((it) => history.put(it)), ...history.listEverything(SOUTHBOUND));
  return {
    put: (...built: readonly Built[]) => apply(...built.map((it) => history.put(it))),
    remove: (...built: readonly Built[]) => apply(...built.flatMap((it) => history.remove(it))),
    found: () =>
      engine
        .findings()
        .filter((it) => it.rule === rule)
        .map((it) => `${it.state} ${it.subject.part?.key ?? it.subject.name}`),
    summaries: () =>
      engine
        .findings()
        .filter((it) => it.rule === rule)
        .map((it) => it.summary),
  };
}

describe('chassis of others', () => {
  const gateway = row('Chassis', 'net-gw-1', { hostname: 'net-gw-1.example.net' });
  const other = row('Chassis', 'net-gw-2', { hostname: 'net-gw-2.example.net' });
  const collecting = controller('v1.17.0', '--gc-interval=360');
  const atRisk = (...more: readonly Built[]) =>
    followed('chassis-at-risk', ...databasePair(), collecting, gateway, ...more);
  const FOUND = ['confirmed kube-ovn-controller'];

  test('stay at risk when the last of them was deleted, until nothing collects them', () => {
    const cluster = atRisk();
    expect(cluster.found()).toEqual(FOUND);
    cluster.remove(gateway);
    expect(cluster.found()).toEqual(FOUND);
    cluster.put(controller('v1.17.0', '--gc-interval=0'));
    expect(cluster.found()).toEqual([]);
  });

  test('are no longer when it turns out to be a node’s own', () => {
    const cluster = atRisk();
    cluster.put(chassis('worker-1', { uid: gateway.uid }));
    expect(cluster.found()).toEqual([]);
  });

  test('are counted again while some are left', () => {
    const cluster = atRisk(other);
    cluster.remove(gateway);
    expect(cluster.summaries()).toEqual([
      expect.stringMatching(/deletes 1 chassis of others: net-gw-2/),
    ]);
  });

  test('are none where there never was one', () => {
    expect(followed('chassis-at-risk', ...databasePair(), collecting).found()).toEqual([]);
  });
});

describe('ports of a halted machine', () => {
  const NAME = 'vm-db.vms.vm-main.vms.ovn';
  const machine = (runStrategy: string, networkName = 'vms/vm-main') =>
    object('VirtualMachine', 'vms/vm-db', {
      spec: {
        runStrategy,
        template: { spec: { networks: [{ name: 'default', multus: { networkName } }] } },
      },
    });
  const lan = port(NAME, { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm-db' } });
  const atRisk = () =>
    followed(
      'machine-ports-at-risk',
      controller('v1.14.4', '--gc-interval=360'),
      logicalSwitch(),
      lan,
      machine('Halted'),
    );

  test.each([
    ['the machine runs again', machine('Always')],
    ['the machine has no such network any more', machine('Halted', 'vms/another')],
    ['the release keeps them', controller('v1.14.5', '--gc-interval=360')],
  ])('stay found when one was deleted, until %s', (_, next) => {
    const cluster = atRisk();
    expect(cluster.found()).toEqual([`confirmed ${NAME}`]);
    cluster.remove(lan);
    expect(cluster.found()).toEqual([`confirmed ${NAME}`]);
    cluster.put(next);
    expect(cluster.found()).toEqual([]);
  });

  test('stay found when all of one network were deleted, until one interface is asked for', () => {
    const networks = (count: number) =>
      object('VirtualMachine', 'vms/vm-db', {
        spec: {
          runStrategy: 'Halted',
          template: {
            spec: {
              networks: Array.from({ length: count }, (_, nth) => ({
                name: `${nth}`,
                multus: { networkName: 'vms/vm-main' },
              })),
            },
          },
        },
      });
    const named = port(`${NAME}.pod1a`, {
      external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm-db' },
    });
    const cluster = followed(
      'machine-ports-at-risk',
      controller('v1.16.2', '--gc-interval=360'),
      logicalSwitch(),
      named,
      networks(2),
    );
    expect(cluster.found()).toEqual([`confirmed ${NAME}`]);
    cluster.remove(named);
    expect(cluster.found()).toEqual([`confirmed ${NAME}`]);
    cluster.put(networks(1));
    expect(cluster.found()).toEqual([]);
  });
});
