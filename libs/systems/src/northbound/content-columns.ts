/**
 * What makes two rows of a table without an index the same to OVN, within the row that holds them
 * (ovn-nb(5), ovn-nbctl(8)); empty for tables whose rows nothing distinguishes.
 * @param natType the `type` of a NAT: to the outside its address identifies it, to the inside
 *   (`snat`) the network behind it.
 */
export function contentColumns(table: string, natType?: unknown): readonly string[] {
  switch (table) {
    case 'ACL':
      return ['direction', 'priority', 'match', 'tier'];
    case 'QoS':
      return ['direction', 'priority', 'match'];
    case 'Logical_Router_Policy':
      return ['priority', 'match'];
    case 'Logical_Router_Static_Route':
      return ['ip_prefix', 'policy', 'route_table', 'nexthop'];
    case 'NAT':
      return natType === 'snat' ? ['type', 'logical_ip'] : ['type', 'external_ip'];
    case 'Load_Balancer_Health_Check':
      return ['vip'];
    case 'Load_Balancer':
    case 'Logical_Switch':
    case 'Logical_Router':
      return ['name'];
    case 'DHCP_Options':
      return ['cidr', 'external_ids'];
    default:
      return [];
  }
}
