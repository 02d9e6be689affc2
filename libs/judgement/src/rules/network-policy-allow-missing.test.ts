import { type Built, object, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './network-policy-allow-missing';

const GROUP = 'allow.web.shop';
const TCP_80 = { protocol: 'TCP', port: 80 };
const UDP_RANGE = { protocol: 'UDP', port: 5000, endPort: 5010 };
const BLOCK = { ipBlock: { cidr: '10.1.2.3/16' } };
const OTHER_BLOCK = { ipBlock: { cidr: '192.168.0.0/24' } };
const BLOCK_IPV6 = { ipBlock: { cidr: 'FD00::/64' } };

const policy = (
  spec: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
): Built<'NetworkPolicy'> =>
  object('NetworkPolicy', 'shop/allow-web', {
    spec: { podSelector: {}, policyTypes: ['Ingress'], ...spec },
    metadata,
  });
const ingress = (...rules: unknown[]) => policy({ ingress: rules });
const group = row('Port_Group', GROUP, {
  external_ids: { vendor: 'kube-ovn', np: 'shop/allow-web' },
});
const member = port('web-0.shop', {
  addresses: ['00:00:00:aa:bb:cc 10.16.0.5'],
  _port_groups: [group.uid],
});
const acl = (match: string, direction = 'to-lport', action = 'allow-related'): Built<'ACL'> =>
  row('ACL', '', {
    uid: `${direction} ${action} ${match}`,
    direction,
    action,
    match,
    priority: 2000,
    _parents: [{ kind: 'Port_Group', uid: group.uid, column: 'acls' }],
  });
const DROP = acl('outport == @allow.web.shop && ip', 'to-lport', 'drop');
const setName = (index = 0, family = 'IPv4') => `${GROUP}.ingress.allow.${family}.${index}`;
const ofSet = (port = '', index = 0, family = 'IPv4') => {
  const field = family === 'IPv4' ? 'ip4.src' : 'ip6.src';
  return acl(
    `outport == @${GROUP} && ip && ${field} == $${setName(index, family)} && ${field} != $${GROUP}.ingress.except.${family}.${index}${port}`,
  );
};
const ofBlocks = (blocks: string, port = '') =>
  acl(`outport == @${GROUP} && ip && (${blocks})${port}`);
const set = (addresses: readonly string[], index = 0, family = 'IPv4') =>
  row('Address_Set', setName(index, family), { addresses });
/** The sets of two rules that name no peers. */
const EVERYBODY = [set(['0.0.0.0/0']), set(['0.0.0.0/0'], 1)];
const controllerWith = (...flags: string[]) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags } } },
  });
const controller = controllerWith();
const given = (...built: Built[]) => world(controller, group, DROP, member, ...EVERYBODY, ...built);
const lost = (what: string, index = 0, direction = 'ingress') =>
  `${direction} rule ${index} of NetworkPolicy shop/allow-web allows ${what}, and no ACL of port group ${GROUP} does`;

testRule(rule, {
  healthy: {
    'each port has its ACL': given(
      ingress({ ports: [TCP_80, UDP_RANGE, { protocol: 'SCTP' }] }),
      ofSet(' && tcp.dst == 80'),
      ofSet(' && 5000 <= udp.dst <= 5010'),
      ofSet(' && sctp'),
    ),
    'it has no ports, and one ACL for all': given(
      ingress({}),
      ofSet(),
      ofSet(' && tcp'),
      ofSet(' && 5000 <= udp.dst <= 5010'),
    ),
    'it has no ports, and no ACL for all is needed of a family that no pod has': given(
      ingress({}),
      ofSet(),
      set([], 0, 'IPv6'),
    ),
    'everybody is in the match of an ACL': given(
      ingress({}),
      set([]),
      ofBlocks('ip4.src == 0.0.0.0/0'),
    ),
    'its ports have names': given(
      ingress({ ports: [{ protocol: 'TCP', port: 'http' }] }),
      ofSet(' && tcp.dst == 8080'),
    ),
    'the protocol was not read': given(ingress({ ports: [{ port: 80 }] }), ofSet()),
    'none of its ACLs is there, which another rule reports': given(ingress({ ports: [TCP_80] })),
    'nothing drops, which another rule reports': world(
      controller,
      group,
      member,
      ingress({ ports: [TCP_80, UDP_RANGE] }),
      ofSet(' && tcp.dst == 80'),
    ),
    'it is for egress only': given(
      policy({ policyTypes: ['Egress'], ingress: [{ ports: [TCP_80, UDP_RANGE] }] }),
      ofSet(' && tcp.dst == 80'),
    ),
    'it is being deleted': given(
      policy(
        { ingress: [{ ports: [TCP_80, UDP_RANGE] }] },
        { deletionTimestamp: '2026-01-01T00:00:00Z' },
      ),
      ofSet(' && tcp.dst == 80'),
    ),
    'the controller ignores policies': world(
      controllerWith('--enable-np=false'),
      group,
      DROP,
      member,
      ingress({ ports: [TCP_80, UDP_RANGE] }),
      ofSet(' && tcp.dst == 80'),
    ),
    'its group has no ports, so that nothing is dropped': world(
      controller,
      group,
      DROP,
      ingress({ ports: [TCP_80, UDP_RANGE] }),
      ofSet(' && tcp.dst == 80'),
    ),
    'it has no group': world(controller, ingress({ ports: [TCP_80] })),
    'a block is in the match of an ACL': given(
      ingress({ from: [BLOCK], ports: [TCP_80] }),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
    ),
    'several blocks are, one with exceptions': given(
      ingress({ from: [BLOCK, OTHER_BLOCK, { podSelector: {} }] }),
      ofBlocks('(ip4.src == 10.1.2.3/16 && ip4.src != {10.1.5.0/24}) || ip4.src == 192.168.0.0/24'),
    ),
    'a block is in the address set': given(ingress({ from: [BLOCK] }), set(['10.1.0.0/16'])),
    'a block has one ACL for all ports': given(
      ingress({ from: [BLOCK] }),
      set([]),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
      ofBlocks('(ip4.src == 10.1.2.3/16 && ip4.src != {10.1.5.0/24})'),
    ),
    'the ACL of another rule for a block allows the port of this one': given(
      ingress({ from: [BLOCK], ports: [TCP_80, UDP_RANGE] }, { from: [BLOCK], ports: [TCP_80] }),
      set([]),
      set([], 1),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && 5000 <= udp.dst <= 5010'),
    ),
    'an ACL of a block allows every port': given(
      ingress({ from: [BLOCK], ports: [TCP_80, UDP_RANGE] }),
      set([]),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
      ofBlocks('ip4.src == 10.1.2.3/16'),
    ),
    'the set of a rule for a block is of peers that it had before': given(
      ingress({ from: [BLOCK], ports: [TCP_80] }),
      set(['0.0.0.0/0']),
      ofSet(' && udp.dst == 53'),
      ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
    ),
    'no pod has an address of the family of the block': given(ingress({ from: [BLOCK_IPV6] })),
    'a block that is none': given(ingress({ from: [{ ipBlock: { cidr: 'anything' } }] })),
    'a block for ports with names only': given(
      ingress({ from: [BLOCK], ports: [{ protocol: 'TCP', port: 'http' }] }),
    ),
  },
  violation: {
    'one of two ports has no ACL': {
      given: given(ingress({ ports: [TCP_80, UDP_RANGE] }), ofSet(' && tcp.dst == 80')),
      summary: lost(`5000 <= udp.dst <= 5010 of $${setName()}`),
      parts: [`spec.ingress=0 5000 <= udp.dst <= 5010 of $${setName()}`],
      concerns: [GROUP],
    },
    'no controller runs in the cluster, as it may run outside': {
      given: world(
        group,
        DROP,
        member,
        ...EVERYBODY,
        ingress({ ports: [TCP_80, UDP_RANGE] }),
        ofSet(' && tcp.dst == 80'),
      ),
      summary: lost(`5000 <= udp.dst <= 5010 of $${setName()}`),
    },
    'one of two families has no ACL for a port of the second rule': {
      given: given(
        ingress({}, { ports: [TCP_80, { protocol: 'UDP' }] }),
        ofSet(),
        ofSet(' && tcp.dst == 80', 1),
        ofSet(' && udp', 1),
        ofSet(' && tcp.dst == 80', 1, 'IPv6'),
      ),
      summary: lost(`udp of $${setName(1, 'IPv6')}`, 1),
    },
    'only single ports have ACLs, and it is for every port': {
      given: given(
        ingress({}),
        ofSet(' && tcp.dst == 80'),
        ofSet(' && 5000 <= udp.dst <= 5010'),
        ofSet(' && sctp'),
      ),
      summary: lost(`every port of $${setName()}`),
      parts: [`spec.ingress=0 every port of $${setName()}`],
    },
    'only single ports of a block have ACLs, and it is for every port': {
      given: given(
        ingress({ from: [BLOCK] }),
        set([]),
        ofBlocks('ip4.src == 10.1.2.3/16', ' && tcp.dst == 80'),
      ),
      summary: lost('every port of 10.1.2.3/16'),
    },
    'its set has not everybody': {
      given: given(ingress({}), set(['10.1.0.0/16']), ofSet()),
      summary: lost('0.0.0.0/0'),
    },
    'its set is empty, and the group has ports of both families': {
      given: given(
        ingress({ ports: [TCP_80] }),
        port('web-1.shop', { addresses: ['00:00:00:aa:bb:cd fd00::5'], _port_groups: [group.uid] }),
        set([], 0, 'IPv6'),
        ofSet(' && tcp.dst == 80'),
        ofSet(' && tcp.dst == 80', 0, 'IPv6'),
      ),
      summary: lost('::/0'),
    },
    'a block has no ACL': {
      given: given(ingress({ from: [BLOCK, { podSelector: {} }] }), ofSet()),
      summary: lost('10.1.2.3/16'),
    },
    'one of two blocks has none': {
      given: given(ingress({ from: [BLOCK, OTHER_BLOCK] }), ofBlocks('ip4.src == 192.168.0.0/24')),
      summary: lost('10.1.2.3/16'),
    },
    'a block has none, and the set of the rule has others': {
      given: given(ingress({ from: [BLOCK] }), set(['10.1.0.0/17'])),
      summary: lost('10.1.2.3/16'),
    },
    'a port of a block has no ACL': {
      given: given(
        ingress({ from: [OTHER_BLOCK], ports: [TCP_80, UDP_RANGE] }),
        ofBlocks('ip4.src == 192.168.0.0/24', ' && tcp.dst == 80'),
      ),
      summary: lost('5000 <= udp.dst <= 5010 of 192.168.0.0/24'),
    },
    'a block of the other family has none': {
      given: given(
        ingress({ from: [BLOCK_IPV6] }),
        port('web-1.shop', { addresses: ['00:00:00:aa:bb:cd fd00::5'], _port_groups: [group.uid] }),
      ),
      summary: lost('FD00::/64'),
    },
    'one of egress is lost': {
      given: given(
        policy({ policyTypes: ['Egress'], egress: [{ to: [BLOCK] }] }),
        acl('inport == @allow.web.shop && ip', 'from-lport', 'drop'),
        acl(`inport == @${GROUP} && ip && (ip4.src == 10.1.2.3/16)`, 'from-lport'),
      ),
      summary: lost('10.1.2.3/16', 0, 'egress'),
    },
  },
});
