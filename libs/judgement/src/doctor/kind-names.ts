import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';

/**
 * The short names of Kube-OVN's definitions, as kubectl knows them (kube-ovn.md §1), where they are
 * not the name of the kind itself.
 */
const SHORT: Readonly<Record<string, string>> = {
  'vpc-nat-gw': 'VpcNatGateway',
  eip: 'IptablesEIP',
  fip: 'IptablesFIPRule',
  dnat: 'IptablesDnatRule',
  snat: 'IptablesSnatRule',
  oeip: 'OvnEip',
  ofip: 'OvnFip',
  osnat: 'OvnSnatRule',
  odnat: 'OvnDnatRule',
  qos: 'QoSPolicy',
  sg: 'SecurityGroup',
  pn: 'ProviderNetwork',
  slr: 'SwitchLBRule',
  rlr: 'RouterLBRule',
  veg: 'VpcEgressGateway',
  'vpc-egress-gw': 'VpcEgressGateway',
};

const singularOf = (resource: string): string => resource.replace(/ies$/, 'y').replace(/s$/, '');

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...KUBERNETES_KINDS.filter((it) => it.group === 'kubeovn.io').flatMap(
    (definition): [string, string][] => [
      [definition.kind.toLowerCase(), definition.kind],
      [definition.resource, definition.kind],
      [singularOf(definition.resource), definition.kind],
    ],
  ),
  ...Object.entries(SHORT),
]);

/** All the names a kind of Kube-OVN's can be called by. */
export const KIND_NAMES: readonly string[] = [...BY_NAME.keys()].sort();

/**
 * The kind a person means, as kubectl would take it: its name, its plural or its short name, in any
 * case.
 */
export const kindNamed = (text: string): string | undefined => BY_NAME.get(text.toLowerCase());

/** What a person types for a kind: its short name, else its name as kubectl takes it. */
export const shortNameOf = (kind: string): string =>
  Object.keys(SHORT).find((it) => SHORT[it] === kind) ?? kind.toLowerCase();
