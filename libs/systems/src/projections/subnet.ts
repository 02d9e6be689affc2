import { conditions, kubernetesObject } from './metadata';
import { anything, count, flag, integer, list, open, record, text, texts } from './shape';

const spec = open({
  vpc: text,
  provider: text,
  protocol: text,
  cidrBlock: text,
  gateway: text,
  excludeIps: texts,
  namespaces: texts,
  namespaceSelectors: list(anything),
  default: flag,
  gatewayType: text,
  gatewayNode: text,
  gatewayNodeSelectors: list(anything),
  enableEcmp: flag,
  natOutgoing: flag,
  vlan: text,
  logicalGateway: flag,
  private: flag,
  allowSubnets: texts,
  acls: list(anything),
  vips: texts,
  enableDHCP: flag,
  dhcpV4Options: text,
  dhcpV6Options: text,
  enableLb: flag,
  u2oInterconnection: flag,
  u2oInterconnectionIP: text,
  enableMulticastSnoop: flag,
  routeTable: text,
  mtu: integer,
});

const status = record({
  conditions,
  activateGateway: text,
  dhcpV4OptionsUUID: text,
  dhcpV6OptionsUUID: text,
  natOutgoingPolicyRules: list(anything),
  v4usingIPs: count,
  v4usingIPrange: text,
  v4availableIPs: count,
  v4availableIPrange: text,
  v6usingIPs: count,
  v6usingIPrange: text,
  v6availableIPs: count,
  v6availableIPrange: text,
  u2oInterconnectionIP: text,
  u2oInterconnectionMAC: text,
  u2oInterconnectionVPC: text,
  mcastQuerierIP: text,
  mcastQuerierMAC: text,
});

/**
 * kube-ovn.md §1 and §6.5: counts and ranges have different sources, so both are kept as they came.
 */
export const subnet = kubernetesObject({ spec, status });
