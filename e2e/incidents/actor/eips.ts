import { field, freeAddress, holdersOf } from './addresses';
import { FINALIZER, type Objects } from './objects';

/**
 * Gives an IptablesEIP its address, with the labels it is counted by; one for which there is none
 * stays without, and is tried again (kube-ovn.md §6.6).
 */
export async function giveEips(objects: Objects): Promise<void> {
  for (const eip of await objects.list('IptablesEIP')) {
    if (eip.metadata.deletionTimestamp !== undefined || eip.status?.['ip'] !== undefined) continue;
    const subnet = await objects.get('Subnet', field(eip, 'externalSubnet'));
    const address = subnet && freeAddress(subnet, await holdersOf(objects));
    if (!subnet || address === undefined) continue;
    const labels = {
      'ovn.kubernetes.io/eip_v4_ip': address,
      'ovn.kubernetes.io/subnet': subnet.metadata.name,
      'ovn.kubernetes.io/vpc-nat-gw-name': field(eip, 'natGwDp'),
    };
    await objects.write({ ...eip, metadata: { ...eip.metadata, finalizers: [FINALIZER], labels } });
    const now = await objects.get('IptablesEIP', eip.metadata.name);
    if (now)
      await objects.writeStatus({
        ...now,
        kind: 'IptablesEIP',
        status: { ip: address, ready: true, nat: '', qosPolicy: '', redo: '' },
      });
  }
}
