import { operation as op } from '@ovn-steward/ovsdb';
import type { Cluster } from '../cluster';
import type { PolicyPort, PolicyRule } from './policy';

/** The group of a policy, and what of the policy is written into sets and ACLs. */
export interface PolicyGroup {
  readonly uid: string;
  readonly name: string;
  readonly hasPorts: boolean;
  readonly namespace: string;
  readonly policy: string;
  readonly rules: readonly PolicyRule[];
  /** By which what it drops is logged. */
  readonly meter: string | undefined;
}

/** The keys a release writes beside these. */
export const keysOf = ({ release }: Cluster, ids: Readonly<Record<string, string>>) =>
  op.map(Object.entries({ ...ids, ...(release.tagsAll && { vendor: 'kube-ovn' }) }));

/** What a port allows, as an ACL says it; undefined for one with a name: there is no ACL of it. */
function portMatch({ protocol, port, endPort }: PolicyPort): string | undefined {
  const name = protocol.toLowerCase();
  if (port === undefined) return name;
  if (typeof port === 'string') return undefined;
  return endPort === undefined ? `${name}.dst == ${port}` : `${port} <= ${name}.dst <= ${endPort}`;
}

/** The matches of a rule's ports; one for all traffic where it names none. */
export const portMatches = ({ ports = [] }: PolicyRule): string[] =>
  ports.length === 0 ? [''] : ports.flatMap((it) => portMatch(it) ?? []);

export const blocksOf = ({ from = [] }: PolicyRule): string[] => from.map((it) => it.ipBlock.cidr);

/** The set of a rule's peers. */
const setName = ({ name }: Pick<PolicyGroup, 'name'>, index: number | 'all'): string =>
  `${name}.ingress.allow.IPv4.${index}`;

/** What the set of each rule has in it. */
export function setsOf({ release }: Cluster, group: PolicyGroup): Map<string, string[]> {
  if (group.rules.length === 0) return new Map([[setName(group, 'all'), []]]);
  return new Map(
    group.rules.map((rule, index) => {
      const blocks = release.inlinesBlocks ? [] : blocksOf(rule);
      return [setName(group, index), rule.from === undefined ? ['0.0.0.0/0'] : blocks];
    }),
  );
}

/** What an ACL allows, by rule, peer and port: the truth of it, which no rule sees. */
interface Allowance {
  readonly match: string;
  readonly of: readonly string[];
}

/**
 * What the ACLs of a policy allow (pkg/ovs/ovn-nb-acl.go, newNetworkPolicyACLMatch and
 * newIPBlockACLMatch): one for each port, of the set of the rule, or of all its blocks.
 */
export function allowancesOf(cluster: Cluster, group: PolicyGroup): Allowance[] {
  const all = `outport == @${group.name} && ip`;
  if (group.rules.length === 0)
    return [{ match: `${all} && ip4.src == $${setName(group, 'all')}`, of: [] }];
  return group.rules.flatMap((rule, index) => {
    const blocks = blocksOf(rule);
    const isInline = cluster.release.inlinesBlocks && blocks.length > 0;
    const terms = blocks.map((it) => `ip4.src == ${it}`);
    const peers = isInline
      ? terms.length > 1
        ? `(${terms.join(' || ')})`
        : terms[0]!
      : `ip4.src == $${setName(group, index)}`;
    return portMatches(rule).map((port) => ({
      match: [all, peers, ...(port === '' ? [] : [port])].join(' && '),
      of: isInline ? blocks.map((it) => `${index} ${it} ${port}`) : [`${index} set ${port}`],
    }));
  });
}
