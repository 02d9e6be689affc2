import { operation } from '@ovn-steward/ovsdb';
import { inMemory } from '../testing/action-beds';
import { GROUND } from '../testing/plants';
import { NEW_UID, on } from '../testing/running-action';
import { describeAction } from './action.contract';
import deleteLogicalSwitch from './delete-logical-switch';
import deleteLogicalSwitchPort from './delete-logical-switch-port';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-logical-switch';

const bench = inMemory(plant);
describeAction(deleteLogicalSwitch, bench);
describeRank(deleteLogicalSwitch, deleteLogicalSwitchPort);

const OWN = operation.map([
  ['vendor', 'kube-ovn'],
  ['ls', 'planted-gone'],
]);
const withPort = (row: Record<string, unknown>) => [
  operation.insert('Logical_Switch_Port', { external_ids: OWN, ...row } as never, NEW_UID),
  operation.mutate('Logical_Switch', operation.byUuid(bench.plant.target.uid), [
    ['ports', 'insert', operation.uuid(NEW_UID)],
  ]),
];

test("only with a person's word", () => expect(deleteLogicalSwitch.onlyApproved).toBe(true));

test.each([
  [
    "a pod's",
    {
      name: 'web-0.planted',
      external_ids: operation.map([
        ['vendor', 'kube-ovn'],
        ['ls', 'planted-gone'],
        ['pod', 'planted/web-0'],
      ]),
    },
  ],
  ["a node's, which a chassis has", { name: 'planted-node', up: true }],
  ['one without the tag', { name: 'x', external_ids: operation.map([]) }],
  ['the end of a router that is not named after it', { name: 'x', type: 'router' }],
  ['an uplink that is not named after it', { name: 'localnet.other', type: 'localnet' }],
  ['one of interconnection', { name: 'planted-gone-remote', type: 'remote' }],
])('keeps it while a port is in it that is %s, also one that came since', async (_, row) => {
  await on(bench, deleteLogicalSwitch, async ({ prepare, refusesAfter }) => {
    await refusesAfter(withPort(row));
    expect(await prepare()).toMatchObject({
      is: 'refused',
      code: expect.stringMatching(/^(in-use|protected)$/),
    });
  });
});

test('the port of a node to an external network goes with it', async () => {
  await on(bench, deleteLogicalSwitch, async ({ peer, prepared, send }) => {
    await peer(withPort({ name: 'planted-node', addresses: '0a:58:00:00:00:0c 10.92.0.9' }));
    expect(await send(await prepared())).toBe('committed');
  });
});

test("keeps it while people's DHCP or QoS rules are in it", async () => {
  await on(bench, deleteLogicalSwitch, async ({ peer, refuses }) => {
    await peer([
      operation.insert(
        'QoS',
        {
          priority: 1,
          direction: 'from-lport',
          match: '1',
          bandwidth: operation.map([['rate', 1]]),
        },
        NEW_UID,
      ),
      operation.mutate('Logical_Switch', operation.byUuid(bench.plant.target.uid), [
        ['qos_rules', 'insert', operation.uuid(NEW_UID)],
      ]),
    ]);
    await refuses('protected');
  });
});

test('keeps a transit switch, the external one, and one that holds pods', async () => {
  await on(bench, deleteLogicalSwitch, async ({ peer, prepare }) => {
    for (const name of ['ts1', 'ovn-external']) {
      await peer([
        operation.update('Logical_Switch', operation.byUuid(bench.plant.target.uid), {
          name,
          ports: operation.set([]),
          acls: operation.set([]),
        }),
      ]);
      expect(await prepare({ ...bench.plant.target, name })).toMatchObject({
        is: 'refused',
        code: 'protected',
      });
    }
    expect(
      await prepare({ ...bench.plant.target, name: 'planted-net', uid: GROUND.switch }),
    ).toMatchObject({ is: 'refused', code: 'in-use' });
  });
});

test('only while no controller leads', () => expect(deleteLogicalSwitch.onlyUnled).toBe(true));
