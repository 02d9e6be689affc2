import { ADMIN_POLICY_KEYS, type AdminPolicyKind } from '../kube-ovn/admin-policies';
import type { Rule } from '../rule-kit/rule';
import { type Built, object, port, row } from './builders';
import { testRule } from './test-rule';
import { world } from './world-builder';

const SUBJECT = { namespaces: {} };
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const PORT = { portNumber: { protocol: 'TCP', port: 80 } };
const RANGE = { portRange: { protocol: 'UDP', start: 53, end: 55 } };

/** A policy of an administrator that is not enforced, as all three kinds have it. */
export function testUnenforcedAdminPolicy(kind: AdminPolicyKind, rule: Rule): void {
  const { key } = ADMIN_POLICY_KEYS[kind];
  const policy = (
    spec: Record<string, unknown> = {},
    name = 'deny-all',
    metadata: Record<string, unknown> = {},
  ): Built =>
    object(kind, name, {
      metadata,
      spec: { priority: 5, subject: SUBJECT, ingress: [{ name: 'from-shop' }], ...spec },
    });
  const group = row('Port_Group', 'deny.all', { external_ids: { [key]: 'deny-all' } });
  const member = port('web-0.shop', { _port_groups: [group.uid] });
  const set = (addresses: readonly string[] = ['10.17.0.10'], at = 'ingress.0.from.shop.IPv4') =>
    row('Address_Set', `deny.all.${at}`, { addresses });
  const acl = (name = 'deny.all.ingress.0.from.shop.IPv4', holder = group.uid, port = ''): Built =>
    row('ACL', '', {
      uid: `acl ${name}${port}`,
      direction: 'to-lport',
      action: 'drop',
      match: `outport == @deny.all && ip && ip4.src == $${name}${port}`,
      _parents: [{ kind: 'Port_Group', uid: holder, column: 'acls' }],
    });
  const controller = (flags: readonly string[] = ['--enable-anp=true']): Built =>
    object('Deployment', 'kube-system/kube-ovn-controller', {
      spec: { template: { spec: { flags } } },
    });
  const given = (...built: Built[]) => world(controller(), ...built);
  const gone = `${kind} deny-all has no port group: deny.all does not exist, and nothing of the policy is enforced`;
  const forPort = (port: string) => acl(undefined, undefined, ` && ${port}`);
  const bare = (place: string) =>
    `${place} of ${kind} deny-all is not enforced: no ACL of port group deny.all names the addresses of its peers`;

  testRule(rule, {
    healthy: {
      'its rule has an ACL': given(policy(), group, member, set(), acl()),
      'each port of its rule has an ACL': given(
        policy({ ingress: [{ name: 'from-shop', ports: [PORT, RANGE] }] }),
        group,
        member,
        set(),
        forPort('tcp.dst == 80'),
        forPort('53 <= udp.dst <= 55'),
      ),
      'what its other ports are is not known to this version': given(
        policy({
          ingress: [
            {
              name: 'from-shop',
              ports: [
                PORT,
                {},
                { portNumber: { port: 80 } },
                { portNumber: { protocol: 'UDP' } },
                { portRange: { protocol: 'UDP', start: 1 } },
                { portRange: { protocol: 'UDP', end: 9 } },
                { portRange: 9 },
              ],
            },
          ],
        }),
        group,
        member,
        set(),
        forPort('tcp.dst == 80'),
      ),
      ...(kind === 'ClusterNetworkPolicy' && {
        'only a port has one, and all that it names may be in a field of a later version': given(
          policy(),
          group,
          member,
          set(),
          forPort('tcp.dst == 80'),
        ),
      }),
      'the peers of its rule have no addresses': given(policy(), group, member, set([])),
      'nothing was made for its rule yet': given(policy(), group, member),
      'it has no pods': given(policy(), group, set()),
      'its rule names only ports that Kube-OVN does not know': given(
        policy({ ingress: [{ name: 'from-shop', ports: [{}] }] }),
        group,
        member,
        set(),
      ),
      'it is being deleted': given(policy({}, 'deny-all', DELETED)),
      'the controller does not enforce such policies': world(controller(['--enable-np']), policy()),
      'the controller is set not to': world(controller(['--enable-anp=false']), policy()),
      'no controller runs in the cluster': world(policy()),
    },
    violation: {
      'its group is gone': { given: given(policy(), set(), member), summary: gone },
      'another policy has its priority, so that it is refused': {
        given: given(policy(), policy({}, 'block'), row('Port_Group', 'block')),
        summary: `${gone}; block has its priority 5 as well`,
        concerns: ['block'],
      },
      'its group has no ACLs': {
        given: given(
          policy({ ingress: [{ name: 'from-shop', ports: [PORT] }] }),
          group,
          member,
          set(),
        ),
        summary: bare('ingress rule 0 (from-shop)'),
        concerns: ['deny.all', 'deny.all.ingress.0.from.shop.IPv4'],
        parts: ['spec.ingress=0'],
      },
      'one of two ports has none': {
        given: given(
          policy({ ingress: [{ name: 'from-shop', ports: [PORT, RANGE] }] }),
          group,
          member,
          set(),
          forPort('tcp.dst == 80'),
          acl('deny.all.ingress.1.IPv4', undefined, ' && 53 <= udp.dst <= 55'),
        ),
        summary: `ingress rule 0 (from-shop) of ${kind} deny-all is not enforced for 53 <= udp.dst <= 55: no ACL of port group deny.all names this and deny.all.ingress.0.from.shop.IPv4`,
        concerns: ['deny.all'],
        parts: ['spec.ingress=0 53 <= udp.dst <= 55 of deny.all.ingress.0.from.shop.IPv4'],
      },
      ...(kind !== 'ClusterNetworkPolicy' && {
        'only a port has one, and it is for all': {
          given: given(policy(), group, member, set(), forPort('tcp.dst == 80')),
          summary: `ingress rule 0 (from-shop) of ${kind} deny-all is not enforced for every port: no ACL of port group deny.all names this and deny.all.ingress.0.from.shop.IPv4`,
          concerns: ['deny.all'],
          parts: ['spec.ingress=0 every port of deny.all.ingress.0.from.shop.IPv4'],
        },
      }),
      'one rule of three has none, and no name': {
        given: given(
          policy({ egress: [{ name: 'a' }, {}] }),
          group,
          member,
          set(),
          acl(),
          set(['10.17.0.0/16'], 'egress.0.a.IPv4'),
          acl('deny.all.egress.0.a.IPv4'),
          set(['fd00::/64'], 'egress.1..IPv6'),
          acl('deny.all.egress.1..IPv6', 'Port_Group:other'),
        ),
        summary: bare('egress rule 1'),
        parts: ['spec.egress=1'],
      },
    },
  });
}
