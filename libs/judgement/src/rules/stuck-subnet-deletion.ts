import { tryParseCidr } from '../world/cidr';
import { holdersBySubnet } from '../relations/holders-by-subnet';
import type { Blocker } from '../world/deletion';
import { held } from '../world/deletion';
import type { Entity } from '../world/entity';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

const ENOUGH = 50;
/** The controller does not wait for the address between underlay and overlay: it removes that itself. */
const UNDERLAY_TO_OVERLAY = 'u2o-interconnection.';

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
      const holders = view.related(holdersBySubnet, subnet.name, ENOUGH).filter((it) => !it.name.startsWith(UNDERLAY_TO_OVERLAY));
      return [...vlan, ...cidr, ...invalid(subnet), ...held('addresses of it are still held', holders), ...miscounted(subnet, holders.length > 0)];
    }),
});

/** What the controller itself says against the spec (condition Validated). */
const invalid = (subnet: Entity<'Subnet'>): Blocker[] =>
  (subnet.object.status?.conditions ?? []).filter((it) => it.type === 'Validated' && it.status === 'False').map((it) => ({ because: `the controller found its spec invalid (${it.reason ?? 'no reason given'}), and checks that first` }));

/** The controller waits for its own count to reach 0, whether or not anything is held. */
function miscounted(subnet: Entity<'Subnet'>, anyHeld: boolean): Blocker[] {
  const { v4usingIPs = 0, v6usingIPs = 0, u2oInterconnectionIP = '' } = subnet.object.status ?? {};
  const own = u2oInterconnectionIP === '' ? 0 : 1;
  const counted = [v4usingIPs, v6usingIPs].find((it) => Number(it) > own);
  return counted === undefined || anyHeld ? [] : [{ because: `its status still counts ${counted} addresses in use, though nothing holds any: creating and deleting a Vip in it makes the controller count again` }];
}
