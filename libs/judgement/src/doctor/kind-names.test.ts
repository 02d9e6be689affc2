import { kindNamed } from './kind-names';

test.each([
  ['subnet', 'Subnet'],
  ['Subnets', 'Subnet'],
  ['vpc', 'Vpc'],
  ['ip', 'IP'],
  ['ips', 'IP'],
  ['vips', 'Vip'],
  ['eip', 'IptablesEIP'],
  ['iptables-eips', 'IptablesEIP'],
  ['oeip', 'OvnEip'],
  ['ovn-eip', 'OvnEip'],
  ['ofip', 'OvnFip'],
  ['osnat', 'OvnSnatRule'],
  ['odnat', 'OvnDnatRule'],
  ['fip', 'IptablesFIPRule'],
  ['ippool', 'IPPool'],
  ['vpc-nat-gw', 'VpcNatGateway'],
  ['veg', 'VpcEgressGateway'],
  ['QoSPolicy', 'QoSPolicy'],
  ['qos-policies', 'QoSPolicy'],
  ['qos-policy', 'QoSPolicy'],
  ['sg', 'SecurityGroup'],
  ['pn', 'ProviderNetwork'],
  ['slr', 'SwitchLBRule'],
  ['rlr', 'RouterLBRule'],
])('%s is %s, as kubectl takes it', (text, kind) => expect(kindNamed(text)).toBe(kind));

test.each(['pod', 'constructor', '', 'subne', 'qos-policie'])("%j is none of Kube-OVN's", (text) =>
  expect(kindNamed(text)).toBeUndefined(),
);
