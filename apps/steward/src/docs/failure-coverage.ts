/**
 * How one of the known failures (docs/domain/kube-ovn-failures.md) shows in what ovn-steward says.
 */
export interface Coverage {
  /** The rules that find it. */
  readonly rules: readonly string[];
  /**
   * What of it is not found, why nothing finds it, or why nothing has to; a sentence or two.
   * Undefined where the rules find all of it.
   */
  readonly limits?: string;
  /**
   * True where `limits` is why nothing is to be found: it is prevented, or resembles a fault and is
   * none.
   */
  readonly needless?: true;
}

/**
 * By the failure's number after a `_`, which keeps the order of the table: names that are numbers
 * come first in any object.
 */
export const FAILURE_COVERAGE: Readonly<Record<string, Coverage>> = {
  _1: { rules: ['neighbours-at-risk', 'neighbour-damaged'] },
  _2: { rules: ['neighbours-at-risk', 'neighbour-damaged'] },
  _3: {
    rules: ['neighbours-at-risk', 'neighbour-damaged'],
    limits:
      'A port or group that vanishes alone looks like its owner’s own deletion: it is damage only where others went with it.',
  },
  _4: {
    rules: ['acls-at-risk', 'neighbour-damaged'],
    limits:
      'Reported before it happens, if the image of the controller names its release. Afterwards by the ACLs of Neutron’s port group `neutron_pg_drop` and what vanished with them.',
  },
  _5: { rules: ['retiered-acls', 'neighbour-damaged'] },
  _6: {
    rules: ['neighbours-at-risk', 'neighbour-damaged'],
    limits: 'A load balancer that vanishes alone looks like its owner’s own deletion.',
  },
  _7: {
    rules: ['chassis-at-risk', 'node-without-chassis', 'gateway-chassis-missing', 'stale-chassis'],
    limits:
      'Only where the Southbound is read. A chassis of others that vanishes is not remembered: its ovn-controller registers it again.',
  },
  _8: {
    rules: [],
    limits: 'The policy `external-vpc` of `steward guard` refuses the deletion.',
    needless: true,
  },
  _9: {
    rules: [
      'vpc-policy-route-missing',
      'vpc-static-route-missing',
      'pod-gateway-policy-missing',
      'vpc-nat-gateway-policy-missing',
      'vpc-egress-gateway-policy-missing',
      'vpc-egress-gateway-without-policies',
    ],
    limits:
      'What objects ask for is looked for. A policy that a person added by hand is in no object, so that nothing says it ought to be there.',
  },
  _10: { rules: ['subnet-without-acls'] },
  _11: {
    rules: [
      'vpc-egress-gateway-without-port-group',
      'network-policy-without-acls',
      'admin-network-policy-without-acls',
      'baseline-admin-network-policy-without-acls',
      'cluster-network-policy-without-acls',
      'router-policy-without-set',
    ],
    limits:
      'Groups and sets of the interconnection of underlays by the router policies that name them; one that no policy names is not missed.',
  },
  _12: { rules: ['orphaned-logical-switch-port', 'leaked-ip'] },
  _13: { rules: ['port-on-wrong-switch'] },
  _14: { rules: ['duplicate-port-address'] },
  _15: { rules: ['missing-logical-switch-port'] },
  _16: { rules: ['attachment-of-pod-missing'] },
  _17: {
    rules: ['machine-ports-at-risk', 'kept-address-lost'],
    limits:
      'Reported before it happens; afterwards by the address record, if ovn-steward ran when it was deleted.',
  },
  _17a: {
    rules: ['machine-ports-at-risk', 'kept-address-lost'],
    limits:
      'Reported while the ports are there; afterwards by the address record, if ovn-steward ran when it was deleted.',
  },
  _18: {
    rules: [],
    limits: 'A machine that is halted or never ran lacks no port.',
    needless: true,
  },
  _19: { rules: ['leaked-ip'] },
  _20: {
    rules: ['ip-of-removed-interface', 'address-only-in-ipam'],
    limits:
      'Of two interfaces on one network, a removed one is found by what the pods of the owner were given; where none runs, the two cannot be distinguished. Before v1.16 they were one.',
  },
  _21: { rules: ['missing-port-group-member'] },
  _22: { rules: ['migration-options-left'] },
  _23: {
    rules: ['kept-address-changed'],
    limits:
      'Only if ovn-steward ran when the record was deleted: it shows as history alone, which is remembered for a week. That the first interface changed its subnet is not said.',
  },
  _24: { rules: ['leaked-ip', 'duplicate-address-record', 'orphaned-nat-gateway-set'] },
  _25: { rules: ['ip-of-removed-interface'] },
  _26: { rules: ['address-only-in-ipam'] },
  _27: {
    rules: ['ip-of-former-subnet', 'address-only-in-ipam'],
    limits:
      'A subnet that only the namespace gives counts unless it is the default subnet, to which a namespace also falls back for a while.',
  },
  _28: { rules: ['leaked-ip', 'orphaned-logical-switch-port'] },
  _29: {
    rules: ['kept-address-lost', 'kept-address-changed'],
    limits:
      'Only if ovn-steward ran when the record was deleted: it shows as history alone, which is remembered for a week. A record that a person deleted while the pod was absent looks the same, so nobody is accused.',
  },
  _30: { rules: ['leaked-ip', 'instance-address-at-risk'] },
  _31: {
    rules: ['kept-address-lost'],
    limits:
      'Only if ovn-steward ran when the record was deleted. A reservation without a StatefulSet or machine only where it went within a minute after a controller took the lead: otherwise a person may have deleted it.',
  },
  _32: { rules: ['subnet-own-address-lost'] },
  _33: { rules: ['subnet-own-address-lost'] },
  _34: { rules: ['leaked-ip'] },
  _35: { rules: ['stuck-ip-deletion'] },
  _36: { rules: ['missing-ip'] },
  _37: { rules: ['subnet-usage-drift', 'duplicate-address-record'] },
  _38: { rules: ['address-not-in-ipam'] },
  _39: { rules: ['stuck-subnet-deletion'] },
  _40: {
    rules: [
      'stuck-subnet-deletion',
      'stuck-vpc-deletion',
      'uninstalled-address-set',
      'uninstalled-ha-chassis-group',
      'uninstalled-load-balancer',
      'uninstalled-port-group',
    ],
  },
  _41: { rules: ['vpc-of-subnet-missing', 'nat-gateway-at-risk'] },
  _42: { rules: ['vpc-of-subnet-missing', 'namespace-without-subnet'] },
  _43: {
    rules: [
      'stuck-ovn-eip-deletion',
      'stuck-ovn-fip-deletion',
      'stuck-ovn-snat-rule-deletion',
      'stuck-ovn-dnat-rule-deletion',
    ],
  },
  _44: {
    rules: [
      'orphaned-load-balancer',
      'orphaned-ha-chassis-group',
      'orphaned-bfd',
      'bfd-session-without-port',
      'orphaned-address-set',
      'leaked-ovn-eip',
      'orphaned-vpc-lb-deployment',
    ],
    limits: 'A BFD row without the key of a gateway only once its port is gone.',
  },
  _45: { rules: ['subnet-without-router-port'] },
  _46: { rules: ['subnet-named-like-vpc'] },
  _47: {
    rules: [
      'orphaned-logical-router-port',
      'orphaned-logical-router-policy',
      'orphaned-dhcp-options',
    ],
  },
  _48: {
    rules: [
      'orphaned-logical-router-policy',
      'orphaned-port-group',
      'orphaned-logical-switch-port',
      'gateway-node-missing',
    ],
  },
  _49: { rules: ['stale-policy-route'] },
  _50: {
    rules: ['stale-static-route'],
    limits:
      'Routes by destination that still lead somewhere: people create these too, and nothing distinguishes them. One whose next hop no port of its router reaches is reported, whoever made it.',
  },
  _51: { rules: ['static-routes-replace-each-other'] },
  _52: {
    rules: [
      'nat-to-nobody',
      'stale-gateway-policy',
      'stale-static-route',
      'pod-gateway-policy-missing',
    ],
  },
  _53: { rules: ['ovn-fip-without-nat', 'ovn-snat-rule-without-nat', 'ovn-dnat-rule-without-vip'] },
  _54: { rules: ['orphaned-nat', 'orphaned-load-balancer'] },
  _55: {
    rules: ['orphaned-nat', 'nat-to-nobody'],
    limits:
      'From v1.16 on, where the OvnEip is gone as well and the internal address is somebody’s, nothing distinguishes it from one made by hand: before, Kube-OVN wrote the option `staleless`, which nobody else writes.',
  },
  _56: { rules: ['orphaned-load-balancer'] },
  _57: { rules: ['stuck-ovn-dnat-rule-deletion'] },
  _58: {
    rules: [
      'stuck-iptables-eip-deletion',
      'stuck-iptables-fip-rule-deletion',
      'stuck-iptables-dnat-rule-deletion',
      'stuck-iptables-snat-rule-deletion',
    ],
  },
  _59: { rules: ['stale-load-balancer-vip', 'load-balancer-vip-of-other-vpc'] },
  _60: { rules: ['service-vip-missing'] },
  _61: { rules: ['stale-ip-port-mapping', 'orphaned-load-balancer-health-check'] },
  _62: {
    rules: ['orphaned-switch-lb-service', 'orphaned-lb-deployment'],
  },
  _63: {
    rules: [],
    limits: 'A virtual port does not conflict with the port it represents.',
    needless: true,
  },
  _64: { rules: ['leaked-vip'] },
  _65: { rules: ['duplicate-acl', 'controller-crash-loop'] },
  _66: { rules: ['orphaned-meter'] },
  _67: { rules: ['orphaned-address-set'] },
  _68: { rules: ['stale-security-group-key'] },
  _69: {
    rules: [
      'network-policies-share-group',
      'network-policy-shares-node-group',
      'security-groups-share-group',
    ],
  },
  _70: { rules: ['missing-port-group-member'] },
  _70a: {
    rules: [
      'network-policy-without-acls',
      'network-policy-allow-missing',
      'security-group-without-acls',
      'admin-network-policy-without-acls',
      'baseline-admin-network-policy-without-acls',
      'cluster-network-policy-without-acls',
    ],
    limits: 'A port with a name, and a rule that this version cannot read, count as made.',
  },
  _70b: { rules: ['gateway-acl-without-policy'] },
  _71: {
    rules: ['bfd-session-down', 'bfd-session-unused', 'bfd-session-without-port', 'orphaned-bfd'],
    limits:
      'Sessions of gateways. One of an external gateway or of a static route has no key: Kube-OVN makes some that no route uses, and no object says whether the peer runs BFD. Where no session is up, one that is down is reported only if the Southbound is read.',
  },
  _72: {
    rules: [
      'vpc-egress-gateway-policy-missing',
      'vpc-egress-gateway-source-missing',
      'vpc-egress-gateway-without-policies',
    ],
  },
  _73: { rules: ['controller-blind', 'controller-not-leading'] },
  _74: { rules: ['pod-without-address', 'controller-blind'] },
  _75: { rules: ['controller-crash-loop', 'controller-ends-often', 'controller-not-leading'] },
  _76: { rules: ['misplaced-pod'] },
  _77: {
    rules: [],
    limits: 'Rows of OVN-IC belong to OVN-IC, and are never judged.',
    needless: true,
  },
  _78: { rules: ['vlan-of-subnet-missing', 'localnet-tag-wrong'] },
  _79: { rules: ['port-down', 'port-bound-elsewhere', 'silent-chassis'] },
  _80: { rules: ['address-only-in-ipam', 'subnet-usage-drift'] },
  _81: {
    rules: [
      'ovn-eip-shares-ipam-key',
      'iptables-eip-shares-ipam-key',
      'duplicate-address-record',
      'duplicate-vip-address',
      'duplicate-ovn-eip-address',
      'duplicate-iptables-eip-address',
    ],
  },
};
