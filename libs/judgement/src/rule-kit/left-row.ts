import { unchanged } from './rule';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import type { Entity, Kind } from '../world/entity';
import { nameOf } from '../kube-ovn/deletion';
import { referenceTo } from '../world/entity';
import type { Way } from './stuck-deletion';
import type { View } from './view';

/** What removes a row of each table. */
const BY: Readonly<Record<string, string>> = {
  Logical_Switch_Port: 'delete-logical-switch-port',
  Logical_Router_Port: 'delete-logical-router-port',
  Logical_Router_Policy: 'delete-logical-router-policy',
  Logical_Router_Static_Route: 'delete-logical-router-static-route',
  Port_Group: 'delete-port-group',
  Address_Set: 'delete-address-set',
  BFD: 'delete-bfd',
  HA_Chassis_Group: 'delete-ha-chassis-group',
  DHCP_Options: 'delete-dhcp-options',
  Load_Balancer: 'delete-load-balancer',
};

/**
 * The way on where the controller that would remove these rows cannot: the first of them that is proven Kube-OVN's and that nobody uses. One at a
 * time, leaves first: what is left is judged again when it is gone.
 * @param proof why nobody else will. @param why the same for a person.
 */
export function removingLeft<K extends Kind>(
  rows: readonly Entity<K>[],
  view: View<never>,
  proof: readonly Fact[],
  why: string,
): Way | undefined {
  const sorted = [...rows].sort((a, b) =>
    rankOf(a) === rankOf(b) ? (a.uid < b.uid ? -1 : 1) : rankOf(a) - rankOf(b),
  ) as unknown as readonly Entity[];
  const row = sorted.find(
    (it) =>
      (it.object as { up?: boolean }).up !== true && view.ownership(it).verdict === 'candidate',
  );
  const action = row && BY[row.kind];
  if (!row || action === undefined) return undefined;
  return {
    proof: [...proof, unchanged(row)],
    remedy: { action, target: referenceTo(row), advice: `remove ${nameOf(row)}, since ${why}` },
  };
}

const ORDER = [
  'Logical_Router_Policy',
  'Logical_Router_Static_Route',
  'BFD',
  'Port_Group',
  'Address_Set',
];
const rankOf = ({ kind }: { readonly kind: string }): number =>
  (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);
