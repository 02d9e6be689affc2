import { join } from 'node:path';
import { recording } from '@ovn-steward/testbed/recordings';
import { startUp } from './actor/garbage';
import type { Northbound } from './actor/northbound';
import { portCollector } from './actor/port-collection';
import type { Incident } from './incident';

type Picture = Awaited<ReturnType<Northbound['picture']>>;

/** Rows of a neighbour collected as garbage on a shared OVN: the recorded incident, from its own database. */
export const neighboursCollected: Incident = {
  name: 'neighbours-collected',
  happens: 'Kube-OVN starts with its default flags on an OVN it shares with Neutron, and collects the rows of its neighbours as garbage',
  source: 'kube-ovn.md rows 1–6; #899, #1145, #4995, #5995',
  answer: 'freed',
  command: 'steward restore <backup> --owner neutron --yes',
  unprotected: [],
  guarded: [],
  database: join(__dirname, 'captures', 'shared-northbound.db'),
  cluster: join(__dirname, 'captures', 'shared-kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const before = await northbound.picture();
    const backup = guarded ? (await run('steward backup --dir backups')).stdout : '';
    console.error(backup);
    await startUp(northbound, objects);
    const collector = portCollector(northbound, objects, { forgetsMachineNetworks: false });
    await collector.pass();
    await collector.pass();
    return difference(before, await northbound.picture());
  },
};

function difference(before: Picture, after: Picture): string[] {
  const counts = new Map<string, number>();
  for (const [uuid, row] of before) {
    const now = after.get(uuid);
    const what = now === undefined ? 'gone' : now.text === row.text ? undefined : 'changed';
    if (what === 'gone' && (!row.foreign || row.table==='Logical_Router')) console.info(row.table, row.text.slice(0, 700));
    if (what) counts.set(`${row.table} ${row.foreign ? 'foreign' : 'kube-ovn'} ${what}`, (counts.get(`${row.table} ${row.foreign ? 'foreign' : 'kube-ovn'} ${what}`) ?? 0) + 1);
  }
  return [...counts].map(([it, count]) => `${count} ${it}`).sort();
}
