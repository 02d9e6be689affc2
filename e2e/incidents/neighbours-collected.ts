import { ascendingBy } from '@ovn-steward/shared/compare';
import { join } from 'node:path';
import { startUp } from './actor/garbage';
import { holdsAll, maintenanceOfNeutron, type Remade, standing } from './actor/neutron';
import type { Northbound } from './actor/northbound';
import { portCollector } from './actor/port-collection';
import type { Incident } from './incident';

type Picture = Awaited<ReturnType<Northbound['picture']>>;

/**
 * Rows of a neighbour collected as garbage on a shared OVN: the recorded incident, from its own
 * database.
 */
export const neighboursCollected: Incident = {
  name: 'neighbours-collected',
  happens:
    'Kube-OVN starts with its default flags on an OVN it shares with Neutron and others, and collects the rows of its neighbours as garbage; Neutron’s maintenance recreates a part of its own',
  source: 'kube-ovn.md §4, §5, rows 1–6; #899, #1145, #4995, #5995',
  answer: 'freed',
  command:
    'steward restore <backup> --owner neutron octavia ovn-k8s incus-lxd ovn-ic unknown --yes',
  unprotected: [
    'of Neutron 1 switches, 1 routers and 2 load balancers are gone',
    'of 14 rows that Neutron has recreated 4 rows are without what they held: 1 Logical_Router, 3 Logical_Switch',
    'of all neighbours 69 rows are gone: 2 ACL, 8 Load_Balancer, 1 Load_Balancer_Health_Check, 7 Logical_Router, 2 Logical_Router_Policy, 8 Logical_Router_Port, 5 Logical_Switch, 29 Logical_Switch_Port, 3 NAT, 1 Port_Group, 3 QoS',
    'of all neighbours 35 rows are changed: 29 ACL, 6 Port_Group',
  ],
  guarded: [
    'of Neutron nothing is gone',
    'of 14 rows that Neutron has recreated 0 rows are without what they held',
    'of all neighbours 0 rows are gone',
    'of all neighbours 0 rows are changed',
  ],
  database: join(__dirname, 'captures', 'shared-northbound.db'),
  cluster: join(__dirname, 'captures', 'shared-kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const before = await northbound.picture();
    const named = new Map(
      (
        await Promise.all(
          ['Logical_Switch', 'Logical_Router', 'Load_Balancer'].map((it) => northbound.rows(it)),
        )
      )
        .flat()
        .map(({ uuid, name }) => [uuid, name]),
    );
    const backup = guarded
      ? /^\S+\.db/.exec((await run('steward backup --dir backups')).stdout)![0]
      : '';
    await startUp(northbound, objects);
    const collector = portCollector(northbound, objects, { forgetsMachineNetworks: false });
    await collector.pass();
    await collector.pass();
    const remade = await maintenanceOfNeutron(northbound);
    if (guarded) {
      await run(neighboursCollected.command.replace('<backup>', backup));
      // Whatever ovn-steward itself finds to remove in this database, it is nobody else's.
      if ((await run('steward plan --look --out plan.yaml')).code === 2)
        await run('steward apply plan.yaml');
    }
    return end(before, await northbound.picture(), named, remade);
  },
};

function end(
  before: Picture,
  after: Picture,
  named: ReadonlyMap<string, string>,
  remade: readonly Remade[],
): readonly string[] {
  const anew = new Map(remade.map(({ was, is }) => [was, is]));
  const foreign = [...before].filter(([, row]) => row.foreign);
  const gone = foreign.filter(([uuid]) => !after.has(uuid) && !anew.has(uuid));
  const changed = foreign.filter(
    ([uuid, { text }]) => after.has(uuid) && after.get(uuid)!.text !== standing(text, anew),
  );
  const neutrons = (table: string): number =>
    gone.filter(
      ([uuid, row]) => row.table === table && /^(neutron-|pf-floatingip-)/.test(named.get(uuid)!),
    ).length;
  const [switches, routers, balancers] = ['Logical_Switch', 'Logical_Router', 'Load_Balancer'].map(
    neutrons,
  ) as [number, number, number];
  const short = remade.filter(
    ({ was, is }) => !holdsAll(standing(before.get(was)!.text, anew), after.get(is)!.text),
  );
  return [
    switches + routers + balancers === 0
      ? 'of Neutron nothing is gone'
      : `of Neutron ${switches} switches, ${routers} routers and ${balancers} load balancers are gone`,
    `of ${remade.length} rows that Neutron has recreated ${counted(
      short.map((it) => [it.was, it]),
      'without what they held',
    )}`,
    `of all neighbours ${counted(gone, 'gone')}`,
    `of all neighbours ${counted(changed, 'changed')}`,
  ];
}

function counted(
  rows: readonly (readonly [string, { readonly table: string }])[],
  what: string,
): string {
  const byTable = new Map<string, number>();
  for (const [, { table }] of rows) byTable.set(table, (byTable.get(table) ?? 0) + 1);
  const tables = [...byTable]
    .sort(ascendingBy(([key]) => key))
    .map(([table, count]) => `${count} ${table}`)
    .join(', ');
  return `${rows.length} rows are ${what}${tables === '' ? '' : `: ${tables}`}`;
}
