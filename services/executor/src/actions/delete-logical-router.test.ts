import { operation } from '@ovn-steward/ovsdb';
import { inMemory } from '../testing/action-beds';
import { GROUND } from '../testing/plants';
import { NEW_UID, externalIds, on } from '../testing/running-action';
import { describeAction } from './action.contract';
import deleteLogicalRouter from './delete-logical-router';
import deleteLogicalSwitch from './delete-logical-switch';
import deleteNat from './delete-nat';
import { describeRank } from './rank.contract';
import { plant } from './testing/delete-logical-router';

const bench = inMemory(plant);
describeAction(deleteLogicalRouter, bench);
describeRank(deleteLogicalRouter, deleteLogicalSwitch, deleteNat);

const OWN = operation.map([
  ['vendor', 'kube-ovn'],
  ['ls', 'planted-net'],
]);

test("only with a person's word", () => expect(deleteLogicalRouter.onlyApproved).toBe(true));

test('keeps it while a switch leads to it, also one that came since', async () => {
  await on(bench, deleteLogicalRouter, async ({ refuses, refusesAfter }) => {
    await refusesAfter([
      operation.insert(
        'Logical_Switch_Port',
        {
          name: 'planted-net-planted-old',
          type: 'router',
          options: operation.map([['router-port', 'planted-old-left']]),
          external_ids: OWN,
        },
        NEW_UID,
      ),
      operation.mutate('Logical_Switch', operation.byUuid(GROUND.switch), [
        ['ports', 'insert', operation.uuid(NEW_UID)],
      ]),
    ]);
    await refuses('in-use');
  });
});

const asPeer = operation.update('Logical_Router_Port', operation.byUuid(GROUND.gatewayPort), {
  peer: 'planted-old-left',
});

test("keeps it while somebody else's router is its neighbour", async () => {
  await on(bench, deleteLogicalRouter, async ({ peer, refuses }) => {
    await peer([
      asPeer,
      externalIds('Logical_Router_Port', GROUND.gatewayPort, ['neutron:port_name', 'x']),
    ]);
    await refuses('in-use');
  });
});

test("the port of a neighbour that is Kube-OVN's stays, as Kube-OVN leaves it, and is the same until the end", async () => {
  await on(bench, deleteLogicalRouter, async ({ peer, prepared, send, refusesAfter }) => {
    await refusesAfter([
      operation.update('Logical_Router_Port', operation.byUuid(GROUND.gatewayPort), {
        name: 'planted-vpc-planted-old',
        peer: 'planted-old-left',
      }),
      operation.update('Logical_Router_Port', [['name', '==', 'planted-old-left']], {
        name: 'planted-old-planted-vpc',
      }),
    ]);
    await peer([
      operation.update('Logical_Router_Port', operation.byUuid(GROUND.gatewayPort), {
        peer: 'planted-old-planted-vpc',
      }),
    ]);
    expect(await send(await prepared())).toBe('committed');
  });
});

test.each([
  [
    'a NAT',
    'NAT',
    'nat',
    { type: 'snat', external_ip: '198.51.100.9', logical_ip: '10.91.0.0/24' },
  ],
  [
    'a route without the tag',
    'Logical_Router_Static_Route',
    'static_routes',
    { ip_prefix: '10.90.0.0/24', nexthop: '10.91.0.2' },
  ],
  [
    "a policy of somebody's",
    'Logical_Router_Policy',
    'policies',
    { priority: 1, match: '1', action: 'allow' },
  ],
])('keeps it while %s is on it', async (_, table, column, row) => {
  await on(bench, deleteLogicalRouter, async ({ refuses, refusesAfter }) => {
    await refusesAfter([
      operation.insert(table, row, NEW_UID),
      operation.mutate('Logical_Router', operation.byUuid(bench.plant.target.uid), [
        [column, 'insert', operation.uuid(NEW_UID)],
      ]),
    ]);
    await refuses('protected');
  });
});

test('only while no controller leads', () => expect(deleteLogicalRouter.onlyUnled).toBe(true));
