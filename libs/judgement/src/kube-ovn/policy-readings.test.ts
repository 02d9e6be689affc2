import { type PolicyReading, readingsOf } from './policy-readings';

const text = (reading: PolicyReading): string =>
  reading.map((it) => `${it.kind} ${it.key}`).join(' + ');

describe('the readings of keys', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'a policy, or a subnet on a node',
      { np: 'shop/allow' },
      ['NetworkPolicy shop/allow', 'Subnet shop + Node allow'],
    ],
    [
      'a policy with the prefix np, or one whose name begins so',
      { np: 'shop/np1' },
      ['NetworkPolicy shop/np1', 'NetworkPolicy shop/1', 'Subnet shop + Node np1'],
    ],
    [
      'a node, or a policy in a namespace called node',
      { node: 'w', np: 'node/w' },
      ['Node w', 'NetworkPolicy node/w', 'Node w', 'Subnet node + Node w'],
    ],
    ['a direction of a policy', { np: 'shop/allow/ingress' }, ['NetworkPolicy shop/allow']],
    ['a subnet on a node', { subnet: 'apps', node: 'w' }, ['Subnet apps + Node w']],
    ['a subnet by its switch', { lr: 'r', ls: 'apps', u2o: 'true' }, ['Subnet apps']],
    ['a security group', { sg: 'web', type: 'security_group' }, ['SecurityGroup web']],
    ['a pool', { ippool: 'p' }, ['IPPool p']],
    ['a VPC', { isU2OOverlayCIDRs: 'true', vpc: 'v' }, ['Vpc v']],
    [
      'an egress gateway',
      { 'vpc-egress-gateway': 'edge/out', af: '4' },
      ['VpcEgressGateway edge/out'],
    ],
    [
      'policies of administrators',
      { anp: 'a', banp: 'b/egress', cnp: 'c/ingress' },
      ['AdminNetworkPolicy a', 'BaselineAdminNetworkPolicy b', 'ClusterNetworkPolicy c'],
    ],
    [
      'one with a prefix, or whose name begins so',
      { banp: 'anp1/ingress' },
      ['BaselineAdminNetworkPolicy anp1', 'BaselineAdminNetworkPolicy 1'],
    ],
    [
      'a policy and a security group at once',
      { np: 'a/b/egress', sg: 'web' },
      ['SecurityGroup web', 'NetworkPolicy a/b'],
    ],
  ])('%s', (_, ids, expected) => expect(readingsOf(ids)!.map(text)).toEqual(expected));

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['only the tag', { vendor: 'kube-ovn' }],
    ['an administrator’s policy without a name', { anp: '/ingress' }],
    ['more than a direction of one', { banp: 'a/ingress/0' }],
    ['a group Kube-OVN makes for itself', { sg: 'kubeovn_deny_all' }],
    ['half a policy', { np: 'shop' }],
    ['a policy without a name', { np: 'shop/' }],
    ['more than a policy', { np: 'a/b/c/d' }],
  ])('none for %s', (_, ids) => expect(readingsOf(ids)).toBeUndefined());

  test('inherited keys are none', () =>
    expect(readingsOf(Object.create({ sg: 'web' }) as Record<string, string>)).toBeUndefined());
});
