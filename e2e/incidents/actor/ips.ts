import { isOvn } from './addresses';
import type { Northbound } from './northbound';
import { type Objects, unheld } from './objects';

/**
 * `handleUpdateIP` of an IP object that is being deleted: the port of that name goes, then the
 * finalizer, and with it the address. Where the Subnet is gone the port is left (kube-ovn.md §6.2).
 */
export async function releaseIps(nb: Northbound, objects: Objects): Promise<void> {
  const going = (await objects.list('IP')).filter(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  for (const ip of going) {
    const subnet = await objects.get('Subnet', String(ip.spec?.['subnet'] ?? ''));
    if (subnet && isOvn(subnet))
      await nb.release(
        'Logical_Switch',
        'ports',
        (await nb.rows('Logical_Switch_Port')).filter(({ name }) => name === ip.metadata.name),
      );
    await objects.write(unheld(ip));
  }
}
