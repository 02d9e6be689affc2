import { defineRelation } from '../world/relation';

/**
 * Rows beside the switch that Kube-OVN writes for a subnet and marks with its name: policies
 * (`subnet`) and DHCP options (`ls`).
 */
export const rowsBySubnet = defineRelation({
  id: 'rows-by-subnet',
  kinds: ['Logical_Router_Policy', 'DHCP_Options'],
  keys: ({ kind, object: { external_ids: ids } }) => {
    const key = kind === 'DHCP_Options' ? 'ls' : 'subnet';
    return ids && Object.hasOwn(ids, key) ? [ids[key]!] : [];
  },
});
