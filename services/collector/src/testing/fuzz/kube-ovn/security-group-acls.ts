import { operation as op } from '@ovn-steward/ovsdb';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, rowNamed, uuidsOf } from '../cluster';
import { keysOf } from './policy-acls';
import { isAtLeast } from './releases';
import {
  type Direction,
  type GroupRule,
  type GroupSpec,
  portGroupOf,
  setsOfGroup,
} from './security-group-rows';

/** What a rule stands for: by this alone the truth knows its ACL. */
export const aboutRule = ({ of }: Direction, rule: GroupRule): string =>
  `${of} ${JSON.stringify(rule)}`;

function matchOf({ port, end }: Direction, group: string, rule: GroupRule): string {
  const { protocol, remoteAddress, remoteSecurityGroup = '', portRangeMin, portRangeMax } = rule;
  const peer = remoteAddress ?? `$${setsOfGroup(remoteSecurityGroup)[0]}`;
  const ports =
    protocol === 'all' ? '' : ` && ${portRangeMin} <= ${protocol}.dst <= ${portRangeMax}`;
  return `${port} == @${group} && ip4 && ip4.${end} == ${peer}${ports}`;
}

/** The same of a direction's ACL that is of no rule. */
const aboutSame = ({ of }: Direction): string => `${of} of the same group`;

/** ACLs for members and for rules, then those that every group has (UpdateSgACL, CreateSgBaseACL). */
export function writeRules(
  cluster: Cluster,
  name: string,
  direction: Direction,
  spec: GroupSpec,
): void {
  const group = portGroupOf(name);
  const highest = isAtLeast(cluster.release, 1, 16) ? 18_484 : 2300;
  const { port, end } = direction;
  const same = `${port} == @${group} && ip4 && ip4.${end} == $${setsOfGroup(name)[0]}`;
  if (spec.allowSameGroupTraffic)
    addAcl(cluster, group, direction, { priority: 2004, match: same }, aboutSame(direction));
  for (const rule of spec[direction.rules]) {
    const match = matchOf(direction, group, rule);
    const what = { priority: highest - rule.priority, match, drops: rule.policy === 'drop' };
    addAcl(cluster, group, direction, what, aboutRule(direction, rule));
  }
}

export const writeBase = (cluster: Cluster, group: string, direction: Direction): void =>
  addAcl(
    cluster,
    group,
    direction,
    { priority: 2005, match: `${direction.port} == @${group} && arp` },
    `${direction.of} base`,
  );

/** Unless there is one of that priority and match, or no group. */
export function addAcl(
  cluster: Cluster,
  group: string,
  { acls }: Direction,
  { priority, match, drops }: { priority: number; match: string; drops?: boolean },
  about: string,
): void {
  const [uuid, row] = rowNamed(cluster, 'Port_Group', group) ?? [];
  if (uuid === undefined || row === undefined) return;
  const isThere = uuidsOf(row['acls']).some((uid) => {
    const acl = cluster.rows('ACL').get(uid);
    return acl?.['match'] === match && acl['priority'] === priority && acl['direction'] === acls;
  });
  if (isThere) return;
  const uid = cluster.random.uuid();
  const holder = { table: 'Port_Group', uuid, column: 'acls' };
  const action = drops === true ? 'drop' : 'allow-related';
  const ids = keysOf(cluster, { parent: group });
  const tier = cluster.release.movesTiers ? { tier: 2 } : {};
  const acl = { direction: acls, priority, match, action, ...tier, external_ids: ids };
  cluster.write(...add('ACL', uid, acl, holder));
  cluster.labels.set({
    kind: 'ACL',
    uid,
    name: about,
    by: 'kube-ovn',
    owners: cluster.labels.get(uuid)?.owners ?? [],
    addresses: [],
  });
}

/** Takes the ACLs of a direction, or all. */
export function dropAcls(cluster: Cluster, group: string, direction?: Direction): boolean {
  const [uuid, row] = rowNamed(cluster, 'Port_Group', group) ?? [];
  if (uuid === undefined || row === undefined) return false;
  const taken = uuidsOf(row['acls']).filter(
    (it) => !direction || cluster.rows('ACL').get(it)?.['direction'] === direction.acls,
  );
  const gone = op.set(taken.map((it) => op.uuid(it)));
  if (taken.length > 0)
    cluster.write(op.mutate('Port_Group', op.byUuid(uuid), [['acls', 'delete', gone]]));
  return taken.length > 0;
}

/** What the ACLs of a group were made for. */
export const madeIn = (cluster: Cluster, group: string): ReadonlySet<string> =>
  new Set(
    uuidsOf(rowNamed(cluster, 'Port_Group', group)?.[1]['acls'] ?? ['set', []]).flatMap(
      (it) => cluster.labels.get(it)?.name ?? [],
    ),
  );
