import { keyOf, referenceTo } from '../world/entity';
import { livingReferrer } from '../world/living-referrer';
import { namesakeOf } from '../world/namesake';
import { absentOwners, POLICY_OWNER_KINDS, presenceOf, readingsOf } from '../world/policy-owners';
import { absent, defineRule, healthy, unchanged, unknown, value, violation } from './rule';

/**
 * An address set whose policy, security group, pool, subnet or VPC is gone.
 *
 * Removing one that a match still names makes ovn-controller drop that flow, so it counts as garbage only while every
 * row naming it belongs to owners that are gone as well (kube-ovn.md §4.9, row 67).
 */
export default defineRule({
  id: 'orphaned-address-set',
  class: 'garbage',
  severity: 'info',
  subject: 'Address_Set',
  reads: [...POLICY_OWNER_KINDS, 'ACL', 'Port_Group', 'Logical_Router'],
  about: 'An address set whose NetworkPolicy, SecurityGroup, IPPool, Subnet or Vpc no longer exists. Nothing living reads it.',
  remedy: 'delete-address-set',

  check(set, view) {
    const owner = view.ownership(set);
    if (owner.verdict !== 'candidate') return healthy;
    const readings = readingsOf(set.object.external_ids ?? {});
    if (!readings) return healthy;
    const each = readings.map((it) => presenceOf(it, view));
    if (each.includes('present')) return healthy;
    if (each.includes('unknown')) return unknown(`not every possible owner of address set ${set.name} is known`);
    const namesake = namesakeOf(set, view);
    if (namesake) return unknown(`the owner of address set ${set.name} is gone, but ${namesake.kind} ${keyOf(namesake)} has a address set of that name`);
    const reader = livingReferrer(set, view);
    if (reader) return unknown(`the owner of address set ${set.name} is gone, but ${reader.kind} ${reader.name || reader.uid} still names it`);

    const gone = absentOwners(readings, view);
    return violation({
      says: `address set ${set.name} belongs to ${gone[0]!.kind} ${gone[0]!.key}, which no longer exists`,
      owner,
      proof: [...gone.map((it) => absent(it.kind, it.key)), value(set, 'external_ids', JSON.stringify(set.object.external_ids ?? {})), unchanged(set)],
      remedy: { action: 'delete-address-set', target: referenceTo(set), advice: 'delete the address set, after the ACLs that name it' },
    });
  },
});
