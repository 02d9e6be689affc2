import { ascendingBy } from '@ovn-steward/shared/compare';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { annotationOf, type Cluster, keyIn, rowNamed, uuidsOf } from '../cluster';
import { isLive, machineOf, networksOf } from '../kube-ovn/pod';
import { groupsOfPort, groupsSaid, namesIn } from '../kube-ovn/security-group-keys';
import * as acls from '../kube-ovn/security-group-acls';
import * as rows from '../kube-ovn/security-group-rows';
import { groupStatus } from '../kube-ovn/security-groups';
import type { Ill } from './ill';

/** What is wrong with security groups and with the ports that are, or are to be, in them. */
export function* securityIlls(cluster: Cluster): Generator<Ill> {
  const groups = new Map(
    [...cluster.objects.all('SecurityGroup')].map((it) => [it.metadata.name, it]),
  );
  for (const it of groups.values()) yield* unenforced(cluster, it);
  yield* shared(cluster, [...groups.values()]);
  const askers = askersByPort(cluster);
  for (const [uid, row] of cluster.rows('Logical_Switch_Port')) {
    const name = String(row['name']);
    if (cluster.labels.get(uid)?.by !== 'kube-ovn') continue;
    const named = groupsOfPort(row['external_ids']).map((it) => it.trim());
    const listed = (keyIn(row['external_ids'], 'security_groups') ?? '').split('/');
    const all = [...named, ...listed.map((it) => it.trim())].filter((it) => it !== '');
    if (all.some((it) => !groups.has(it)))
      yield { rule: 'stale-security-group-key', uid, what: `keys of ${name}`, expected: 'must' };
    const asking = askers.get(name) ?? [];
    yield* members(cluster, uid, name, asking, groups);
    if (asking.length > 0) yield* denied(cluster, uid, name, all);
    const isStale = named.some((it) => groups.has(it) && !asking.some((pod) => pod.names.has(it)));
    if (isStale && asking.length > 0) {
      const expected = asking.every((it) => it.isRunning) ? 'must' : 'may';
      yield { rule: 'stale-security-group-member', uid, what: `port ${name}`, expected };
    }
  }
}

interface Asker {
  readonly names: ReadonlySet<string>;
  readonly isRunning: boolean;
}

/** The pods that live on each port, with the groups they name for it. */
function askersByPort(cluster: Cluster): ReadonlyMap<string, Asker[]> {
  const found = new Map<string, Asker[]>();
  for (const pod of cluster.objects.all('Pod')) {
    if (!isLive(pod)) continue;
    const { namespace = '', name } = pod.metadata;
    const isRunning = (pod['status'] as { phase?: string }).phase === 'Running';
    for (const { provider, suffix } of networksOf(cluster, pod)) {
      if (annotationOf(pod, `${provider}.kubernetes.io/allocated`) !== 'true') continue;
      const port = nameOf({ namespace, pod: machineOf(pod) ?? name, suffix });
      const asker = { names: new Set(namesIn(groupsSaid(pod, provider))), isRunning };
      found.set(port, [...(found.get(port) ?? []), asker]);
    }
  }
  return found;
}

/** A port of a pod that names a group which is there belongs into it, and where the rest is dropped. */
function* members(
  cluster: Cluster,
  uid: string,
  name: string,
  askers: readonly Asker[],
  groups: ReadonlyMap<string, KubernetesObject>,
): Generator<Ill> {
  const isIn = (group: string): boolean => {
    const [, row] = rowNamed(cluster, 'Port_Group', group) ?? [];
    return row === undefined || uuidsOf(row['ports']).includes(uid);
  };
  for (const asked of new Set(askers.flatMap((it) => [...it.names]))) {
    const group = groups.get(asked);
    const { portGroup = '' } = group ? groupStatus(group) : {};
    if (!rowNamed(cluster, 'Port_Group', portGroup)) continue;
    if (isIn(portGroup) && isIn(rows.portGroupOf(rows.DENY_ALL))) continue;
    // Of two launchers of a machine that say different things nobody knows which one counts.
    const expected = askers.every((it) => it.names.has(asked)) ? 'must' : 'may';
    const what = `port ${name} is not where ${asked} is`;
    yield { rule: 'missing-port-group-member', uid, what, expected };
  }
}

/** A port of whose groups none is there, where the rest is dropped. */
function* denied(
  cluster: Cluster,
  uid: string,
  name: string,
  groups: readonly string[],
): Generator<Ill> {
  const [, row] = rowNamed(cluster, 'Port_Group', rows.portGroupOf(rows.DENY_ALL)) ?? [];
  if (!row || !uuidsOf(row['ports']).includes(uid)) return;
  const drops = uuidsOf(row['acls']).some((uuid) => {
    const acl = cluster.rows('ACL').get(uuid);
    return acl?.['direction'] === 'to-lport' && acl['action'] === 'drop';
  });
  const isThere = (group: string): boolean =>
    cluster.objects.get('SecurityGroup', undefined, group) !== undefined ||
    rowNamed(cluster, 'Port_Group', rows.portGroupOf(group)) !== undefined;
  if (!drops || groups.some(isThere)) return;
  const what = `port ${name} is denied all`;
  yield { rule: 'denied-port-without-security-group', uid, what, expected: 'must' };
}

/** A group that was made, and lets through or drops nothing of what it is to. */
function* unenforced(cluster: Cluster, group: KubernetesObject): Generator<Ill> {
  const { uid, name } = group.metadata;
  const { portGroup } = groupStatus(group);
  if (portGroup === undefined) return;
  const rule = 'security-group-without-acls';
  const [, row] = rowNamed(cluster, 'Port_Group', portGroup) ?? [];
  if (!row) return yield { rule, uid, what: `${name} has no group`, expected: 'must' };
  const made = acls.madeIn(cluster, portGroup);
  const spec = rows.groupSpec(group);
  for (const direction of rows.DIRECTIONS) {
    const wanted = spec[direction.rules].map((one) => acls.aboutRule(direction, one));
    const lost = wanted.filter((one) => !made.has(one));
    const isBare = !uuidsOf(row['acls']).some(
      (acl) => cluster.rows('ACL').get(acl)?.['direction'] === direction.acls,
    );
    const what = `${name}, ${direction.of}`;
    if (isBare && (wanted.length > 0 || spec.allowSameGroupTraffic))
      return yield { rule, uid, what, expected: 'must' };
    // Where none of a direction's rules is there, its numbers do not show which is which.
    if (lost.length > 0) yield { rule, uid, what, expected: 'may' };
    if (lost.length > 0 && lost.length < wanted.length)
      return yield { rule, uid, what, expected: 'must' };
  }
}

/** Two that have one group in OVN: of the first by name. */
function* shared(cluster: Cluster, groups: readonly KubernetesObject[]): Generator<Ill> {
  const sorted = [...groups].sort(ascendingBy((it) => it.metadata.name));
  for (const [nth, { metadata }] of sorted.entries()) {
    const of = (it: KubernetesObject) => rows.portGroupOf(it.metadata.name);
    const same = sorted.filter((it) => of(it) === of(sorted[nth]!));
    if (same.length < 2 || same[0]!.metadata.uid !== metadata.uid) continue;
    if (!rowNamed(cluster, 'Port_Group', of(sorted[nth]!))) continue;
    const what = `${metadata.name} shares its group`;
    yield { rule: 'security-groups-share-group', uid: metadata.uid, what, expected: 'must' };
  }
}
