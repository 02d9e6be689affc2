const columns = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/**
 * The tables Kube-OVN writes and every column of theirs this version knows (NB schema 5.20 to
 * 7.19). A column that is not here may hold a reference nobody follows, so a row that fills one is
 * kept.
 */
export const KNOWN_COLUMNS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'Logical_Switch',
    columns(
      'name ports acls qos_rules load_balancer load_balancer_group forwarding_groups dns_records copp other_config external_ids',
    ),
  ],
  [
    'Logical_Switch_Port',
    columns(
      'name type options parent_name tag_request tag peer addresses dynamic_addresses port_security up enabled dhcpv4_options dhcpv6_options mirror_rules ha_chassis_group health_checks external_ids',
    ),
  ],
  [
    'Logical_Router',
    columns(
      'name ports static_routes policies nat enabled load_balancer load_balancer_group copp options external_ids',
    ),
  ],
  [
    'Logical_Router_Port',
    columns(
      'name mac networks gateway_chassis ha_chassis_group peer enabled ipv6_ra_configs ipv6_prefix status dhcp_relay options external_ids',
    ),
  ],
  [
    'Logical_Router_Static_Route',
    columns(
      'ip_prefix policy nexthop output_port route_table bfd selection_fields options external_ids',
    ),
  ],
  [
    'Logical_Router_Policy',
    columns(
      'priority match action nexthop nexthops output_port bfd_sessions chain jump_chain options external_ids',
    ),
  ],
  [
    'NAT',
    columns(
      'type external_ip external_mac external_port_range logical_ip logical_port allowed_ext_ips exempted_ext_ips gateway_port match priority options external_ids',
    ),
  ],
  ['Port_Group', columns('name ports acls external_ids')],
  ['Address_Set', columns('name addresses options external_ids')],
  [
    'ACL',
    columns(
      'name priority direction match action log severity meter label tier sample_new sample_est network_function_group options external_ids',
    ),
  ],
  [
    'Load_Balancer',
    columns(
      'name vips protocol health_check ip_port_mappings selection_fields options external_ids',
    ),
  ],
  ['Load_Balancer_Health_Check', columns('vip options external_ids')],
  ['DHCP_Options', columns('cidr options external_ids')],
  ['HA_Chassis_Group', columns('name ha_chassis external_ids')],
  ['HA_Chassis', columns('chassis_name priority external_ids')],
  ['Gateway_Chassis', columns('name chassis_name priority options external_ids')],
  ['BFD', columns('logical_port dst_ip min_tx min_rx detect_mult status options external_ids')],
  ['Meter', columns('name unit bands fair external_ids')],
  ['Meter_Band', columns('action rate burst_size external_ids')],
]);

/** A filled column this version does not know; names starting with `_` are the collector's own. */
export function unknownColumn(
  table: string,
  object: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = KNOWN_COLUMNS.get(table);
  for (const column in object)
    if (column.charCodeAt(0) !== 95 && !known?.has(column)) return column;
  return undefined;
}
