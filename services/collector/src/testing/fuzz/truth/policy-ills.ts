import { type Cluster, rowNamed, uuidsOf } from '../cluster';
import { groupOf, isSelected, policySpec, portsOf } from '../kube-ovn/policy';
import { blocksOf, portMatches } from '../kube-ovn/policy-acls';
import { addressesIn } from '../kube-ovn/write-policy';
import { isLive } from '../kube-ovn/pod';
import type { Ill } from './ill';
import { isWanted } from './alive';

/** What is wrong with groups, sets and ACLs of network policies. */
export function* policyIlls(cluster: Cluster): Generator<Ill> {
  yield* unenforced(cluster);
  yield* leftOver(cluster);
  yield* leftMeters(cluster);
}

function* unenforced(cluster: Cluster): Generator<Ill> {
  for (const policy of cluster.objects.all('NetworkPolicy')) {
    const { namespace = '', name, uid } = policy.metadata;
    const [group, row] = rowNamed(cluster, 'Port_Group', groupOf(namespace, name)) ?? [];
    if (group === undefined || row === undefined) {
      yield {
        rule: 'network-policy-without-acls',
        uid,
        what: `policy ${namespace}/${name} has no group`,
        expected: 'must',
      };
      continue;
    }
    const drops = uuidsOf(row['acls']).some(
      (it) => cluster.rows('ACL').get(it)?.['action'] === 'drop',
    );
    const members = new Set(uuidsOf(row['ports']));
    if (members.size > 0 && !drops)
      yield {
        rule: 'network-policy-without-acls',
        uid,
        what: `policy ${namespace}/${name} drops nothing`,
        expected: 'must',
      };
    for (const pod of cluster.objects.all('Pod'))
      if (isSelected(policy, pod))
        for (const port of portsOf(pod)) {
          const [portUid] = rowNamed(cluster, 'Logical_Switch_Port', port) ?? [];
          if (portUid !== undefined && !members.has(portUid))
            yield {
              rule: 'missing-port-group-member',
              uid: portUid,
              what: `port ${port} is not in the group of ${namespace}/${name}`,
              expected: 'must',
            };
        }
    yield* unselected(cluster, policy, members);
    if (drops && members.size > 0) yield* disallowed(cluster, policy, uuidsOf(row['acls']));
  }
}

/** What the policy allows, and nothing that is in OVN does. */
function* disallowed(
  cluster: Cluster,
  policy: Parameters<typeof isSelected>[0],
  acls: readonly string[],
): Generator<Ill> {
  const { namespace = '', name, uid } = policy.metadata;
  const made = new Set(acls.flatMap((it) => cluster.labels.get(it)?.name.split('; ') ?? []));
  for (const [index, rule] of policySpec(policy).ingress.entries()) {
    const set = `${groupOf(namespace, name)}.ingress.allow.IPv4.${index}`;
    const filled = addressesIn(rowNamed(cluster, 'Address_Set', set)?.[1]['addresses'] ?? '');
    const usesSet = [...made].some((it) => it.startsWith(`${index} set `));
    for (const port of portMatches(rule))
      for (const peer of rule.from === undefined ? ['0.0.0.0/0'] : blocksOf(rule)) {
        const isIn = filled.includes(peer);
        if (allowsBlock(made, peer, port) || (isIn && allows(made, `${index} set`, port))) continue;
        const what = `policy ${namespace}/${name} allows ${port} of ${peer} by rule ${index}, which nothing does`;
        yield {
          rule: isIn && !usesSet ? 'network-policy-without-acls' : 'network-policy-allow-missing',
          uid,
          what,
          expected: 'must',
        };
        // The set may be of the policy before it was changed; that no ACL names it is true.
        if (!isIn && !usesSet)
          yield { rule: 'network-policy-without-acls', uid, what, expected: 'may' };
      }
  }
}

/** Whether ACLs of a peer allow a port, or every port. */
const allows = (made: ReadonlySet<string>, peer: string, port: string): boolean =>
  made.has(`${peer} ${port}`) || made.has(`${peer} `);

/** The same of a block in the match of an ACL, whichever rule it was made for. */
const allowsBlock = (made: ReadonlySet<string>, block: string, port: string): boolean =>
  [...made].some((it) => allows(made, `${it.split(' ')[0]} ${block}`, port));

/** Members whose pod lives and is not selected. */
function* unselected(
  cluster: Cluster,
  policy: Parameters<typeof isSelected>[0],
  members: ReadonlySet<string>,
): Generator<Ill> {
  for (const uid of members) {
    const label = cluster.labels.get(uid);
    const [own] = label?.owners ?? [];
    if (label === undefined || own?.kind !== 'Pod') continue;
    const pod = cluster.objects.get('Pod', own.namespace, own.name);
    if (isLive(pod) && !isSelected(policy, pod))
      yield {
        rule: 'stale-port-group-member',
        uid,
        what: `port ${label.name} is in the group of ${policy.metadata.name}`,
        expected: 'must',
      };
  }
}

/**
 * Groups and sets of policies that are gone. Without Kube-OVN's tag it is a matter of form whether
 * they are known for its own.
 */
function* leftOver(cluster: Cluster): Generator<Ill> {
  for (const [table, rule] of [
    ['Port_Group', 'orphaned-port-group'],
    ['Address_Set', 'orphaned-address-set'],
  ] as const)
    for (const uid of cluster.rows(table).keys()) {
      const label = cluster.labels.get(uid);
      if (label === undefined || label.owners.some((it) => isWanted(cluster, it))) continue;
      if (isNamedByLivingGroup(cluster, label.name)) continue;
      yield {
        rule,
        uid,
        what: `${label.name} is left over`,
        expected: cluster.release.tagsAll ? 'must' : 'may',
      };
    }
}

/** Whether an ACL names the set, in a group of somebody who is there: a rule for a remote group. */
function isNamedByLivingGroup(cluster: Cluster, set: string): boolean {
  const groups = [...cluster.rows('Port_Group')].filter(([uid]) =>
    cluster.labels.get(uid)?.owners.some((it) => isWanted(cluster, it)),
  );
  return groups
    .flatMap(([, group]) => uuidsOf(group['acls']))
    .some((acl) => String(cluster.rows('ACL').get(acl)?.['match']).split(' ').includes(`$${set}`));
}

/** Meters of policies that are gone; not while a group of that name is there, which may be next. */
function* leftMeters(cluster: Cluster): Generator<Ill> {
  for (const uid of cluster.rows('Meter').keys()) {
    const label = cluster.labels.get(uid);
    const [owner] = label?.owners ?? [];
    if (label === undefined || owner === undefined || isWanted(cluster, owner)) continue;
    const { namespace = '', name } = owner as { namespace?: string; name: string };
    if (rowNamed(cluster, 'Port_Group', groupOf(namespace, name))) continue;
    yield { rule: 'orphaned-meter', uid, what: `${label.name} is left over`, expected: 'must' };
  }
}
