import { tryParseCidr } from '../world/cidr';
import { holdersBySubnet } from '../relations/holders-by-subnet';
import type { Blocker } from '../world/deletion';
import { held } from '../world/deletion';
import type { Entity } from '../world/entity';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

const ENOUGH = 50;

/**
 * A subnet that was told to go and waits: for the holders of its addresses, or, because its deletion is looked at only
 * after its VLAN and its CIDR are found valid, for one of those (kube-ovn.md §7.2).
 */
export default defineRule({
  id: 'stuck-subnet-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Subnet',
  reads: ['IP', 'Vip', 'IptablesEIP', 'OvnEip', 'Vlan'],
  about: 'A subnet that does not finish its deletion: addresses in it are still held, its VLAN is gone, or its CIDR is invalid.',

  check: (subnet, view) =>
    stuckDeletion(subnet, () => {
      const { spec } = subnet.object;
      const vlan: Blocker[] = spec?.vlan && view.presence('Vlan', spec.vlan) === 'absent' ? [{ because: `its Vlan ${spec.vlan} no longer exists, and the controller looks for it first` }] : [];
      const cidr: Blocker[] = (spec?.cidrBlock ?? '').split(',').filter((it) => it !== '' && !tryParseCidr(it)).map((it) => ({ because: `its CIDR ${it} is invalid, and the controller checks it first` }));
      return [...vlan, ...cidr, ...held('addresses of it are still held', view.related(holdersBySubnet, subnet.name, ENOUGH)), ...miscounted(subnet, view.related(holdersBySubnet, subnet.name, 1).length > 0)];
    }),
});

/** The controller waits for its own count to reach 0, whether or not anything is held. */
function miscounted(subnet: Entity<'Subnet'>, anyHeld: boolean): Blocker[] {
  const { v4usingIPs = 0, v6usingIPs = 0 } = subnet.object.status ?? {};
  const counted = [v4usingIPs, v6usingIPs].find((it) => Number(it) > 0);
  return counted === undefined || anyHeld ? [] : [{ because: `its status still counts ${counted} addresses in use, though nothing holds any: creating and deleting a Vip in it makes the controller count again` }];
}
