import { portGroupOfSecurityGroup } from '../ownership/grammar/names';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';

/** Before the name of each group and set that Kube-OVN makes for a SecurityGroup. */
const OWN_FORM = portGroupOfSecurityGroup('');

/**
 * Port groups and address sets of others that carry Kube-OVN's key for SecurityGroups, `sg`: those
 * alone in which its collection before v1.15 sees the SecurityGroup's (kube-ovn.md §4.6).
 */
export const groupMarkedRows = defineRelation({
  id: 'group-marked-rows',
  kinds: ['Port_Group', 'Address_Set'],
  keys: ({ name, object }: Entity<'Port_Group' | 'Address_Set'>) => {
    const ids = object.external_ids ?? {};
    const isOurs = ids['vendor'] === 'kube-ovn' || name.startsWith(OWN_FORM);
    return isOurs || (ids['sg'] ?? '') === '' || (ids['np'] ?? '') !== '' ? [] : ['sg'];
  },
});
