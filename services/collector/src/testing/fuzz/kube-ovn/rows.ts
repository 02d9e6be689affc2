import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Interface, nameOf, podPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { portAddress } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { type Cluster, recordHarm, rowNamed, uuidsOf } from '../cluster';
import type { Owner } from '../truth/labels';

/** The uuid of the switch that holds the port. */
function switchOf(cluster: Cluster, port: string): string | undefined {
  for (const [uuid, row] of cluster.rows('Logical_Switch'))
    if (uuidsOf(row['ports']).includes(port)) return uuid;
  return undefined;
}

/** Takes the port of that name from its switch; whether there was one. */
export function dropPort(cluster: Cluster, name: string): boolean {
  const [uuid] = rowNamed(cluster, 'Logical_Switch_Port', name) ?? [];
  const holder = uuid === undefined ? undefined : switchOf(cluster, uuid);
  if (uuid === undefined || holder === undefined) return false;
  recordHarm(cluster, uuid, holder);
  cluster.write(
    op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(uuid)]]),
  );
  cluster.diary.push(`port ${name} removed`);
  return true;
}

/**
 * The port of an interface: made, moved or given its address, with the keys of its groups. Whether anything was written; not
 * without its switch.
 */
export function ensurePort(
  cluster: Cluster,
  nic: Interface,
  owners: readonly Owner[],
  groups: Readonly<Record<string, string>> = {},
): boolean {
  const name = nameOf(nic);
  const [holder] = rowNamed(cluster, 'Logical_Switch', nic.subnet) ?? [];
  if (holder === undefined) return false;
  const [known] = rowNamed(cluster, 'Logical_Switch_Port', name) ?? [];
  const external_ids = ours({ ls: nic.subnet, pod: `${nic.namespace}/${nic.pod}`, ...groups });
  const stays = known !== undefined && switchOf(cluster, known) === holder;
  if (known !== undefined && !stays) dropPort(cluster, name);
  const uid = stays ? known : cluster.random.uuid();
  if (stays)
    cluster.write(
      op.update('Logical_Switch_Port', op.byUuid(known), {
        addresses: portAddress(nic.address),
        external_ids,
      }),
    );
  else
    cluster.write(
      ...add(
        'Logical_Switch_Port',
        uid,
        { ...podPort(nic), external_ids },
        {
          table: 'Logical_Switch',
          uuid: holder,
          column: 'ports',
        },
      ),
    );
  cluster.labels.set({
    kind: 'Logical_Switch_Port',
    uid,
    name,
    by: 'kube-ovn',
    owners,
    addresses: nic.address.ips.map((ip) => `${nic.subnet} ${ip}`),
  });
  cluster.diary.push(`port ${name} ${nic.address.ips.join(',')}`);
  return true;
}
