/** A rule that is silenced, by what is then no trouble. */
export interface Silence {
  readonly name: string;
  readonly about: string;
  readonly rule: string;
}

/** Rules about what happens aside of the steps, to see that the fuzz misses each sort of them. */
export const SILENCES: readonly Silence[] = [
  {
    name: 'silent-of-lost-routes',
    about: 'a policy route of the default Vpc may be missing',
    rule: 'vpc-policy-route-missing',
  },
  {
    name: 'silent-of-left-ports',
    about: 'the router port of a deleted Subnet is no trouble',
    rule: 'orphaned-logical-router-port',
  },
  {
    name: 'silent-of-balancers',
    about: 'the balancer of a ready DNAT rule may be gone',
    rule: 'ovn-dnat-rule-without-vip',
  },
  {
    name: 'silent-of-vips',
    about: 'an address kept for health checks that are gone is no trouble',
    rule: 'leaked-vip',
  },
  {
    name: 'silent-of-gateway-pods',
    about: 'an address may wait for ever for the pod of its NAT gateway',
    rule: 'stuck-iptables-eip-deletion',
  },
  {
    name: 'silent-of-services',
    about: 'a Service with endpoints may lack its entry',
    rule: 'service-vip-missing',
  },
  {
    name: 'silent-of-pools',
    about: 'a pool of addresses may never finish its deletion',
    rule: 'stuck-ip-pool-deletion',
  },
  {
    name: 'silent-of-nat-gateways',
    about: 'a NAT gateway may never finish its deletion',
    rule: 'stuck-vpc-nat-gateway-deletion',
  },
  {
    name: 'silent-of-checks',
    about: 'a balancer may check an address that it does not have any more',
    rule: 'orphaned-load-balancer-health-check',
  },
  {
    name: 'silent-of-meters',
    about: 'the meter of a deleted policy is no trouble',
    rule: 'orphaned-meter',
  },
  {
    name: 'silent-of-moves',
    about: 'a pod may stay in a subnet that its namespace does not have any more',
    rule: 'misplaced-pod',
  },
  {
    name: 'silent-of-lost-vpcs',
    about: 'the next start may delete a NAT gateway whose Vpc is gone',
    rule: 'nat-gateway-at-risk',
  },
  {
    name: 'silent-of-left-switches',
    about: 'the switches of a Kube-OVN that was uninstalled are no trouble',
    rule: 'orphaned-logical-switch',
  },
  {
    name: 'silent-of-left-routers',
    about: 'the routers of a Kube-OVN that was uninstalled are no trouble',
    rule: 'orphaned-logical-router',
  },
  {
    name: 'silent-of-left-groups',
    about: 'the port groups of a Kube-OVN that was uninstalled are no trouble',
    rule: 'uninstalled-port-group',
  },
  {
    name: 'silent-of-edits',
    about: 'the port of a pod may have another address than its pod has',
    rule: 'pod-address-disagrees',
  },
  {
    name: 'silent-of-security-groups',
    about: 'a SecurityGroup that lets through or drops nothing of what it is to is no trouble',
    rule: 'security-group-without-acls',
  },
];
