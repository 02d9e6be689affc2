import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, keyIn, rowNamed } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { take } from './networks';
import * as acls from './security-group-acls';
import * as rows from './security-group-rows';
import { syncDenied, syncPorts } from './security-group-ports';
import { isAtLeast } from './releases';

interface GroupStatus {
  readonly portGroup?: string;
  readonly allowSameGroupTraffic?: boolean;
  readonly ingressMd5?: string;
  readonly egressMd5?: string;
  readonly ingressLastSyncSuccess?: boolean;
  readonly egressLastSyncSuccess?: boolean;
}

const groupNamed = ({ objects }: Cluster, name: string): KubernetesObject | undefined =>
  objects.get('SecurityGroup', undefined, name);
export const groupStatus = (group: KubernetesObject): GroupStatus =>
  (group['status'] ?? {}) as GroupStatus;

/** What drops the rest, with its ACLs; then groups that lost the ACL of a rule; first of a start. */
export function* startSecurityGroups(controller: Controller): Job {
  const { cluster } = controller;
  const group = rows.portGroupOf(rows.DENY_ALL);
  if (rows.ensureOf(cluster, 'Port_Group', group, rows.DENY_ALL)) yield;
  for (const direction of rows.DIRECTIONS) {
    const match = `${direction.port} == @${group} && ip`;
    acls.addAcl(cluster, group, direction, { priority: 2003, match, drops: true }, 'drop');
  }
  yield;
  for (const it of [...cluster.objects.all('SecurityGroup')])
    if (hasLost(cluster, it)) yield* update(controller, it.metadata.name, true);
  controller.enqueueOnce(`sg ${rows.DENY_ALL}`, () => syncDenied(cluster));
}

/** Whether a rule has no ACL (SGLostACL); those for members of the group are not looked at. */
function hasLost(cluster: Cluster, group: KubernetesObject): boolean {
  const made = acls.madeIn(cluster, rows.portGroupOf(group.metadata.name));
  return rows.DIRECTIONS.some((it) =>
    rows.groupSpec(group)[it.rules].some((rule) => !made.has(acls.aboutRule(it, rule))),
  );
}

/** A rule for the members of a group that is not there: then nothing is done (validateSgRule). */
const isValid = (cluster: Cluster, { ingressRules, egressRules }: rows.GroupSpec): boolean =>
  [...ingressRules, ...egressRules].every(
    ({ remoteSecurityGroup: it }) => it === undefined || groupNamed(cluster, it) !== undefined,
  );

/** Group, sets, ACLs of each direction with the status after it, then that it is there. */
function* update(controller: Controller, name: string, isForced = false): Job {
  const { cluster } = controller;
  const found = groupNamed(cluster, name);
  if (!found || !isValid(cluster, rows.groupSpec(found))) return;
  const spec = rows.groupSpec(found);
  const group = rows.portGroupOf(name);
  if (rows.ensureOf(cluster, 'Port_Group', group, name)) yield;
  for (const it of rows.setsOfGroup(name))
    if (rows.ensureOf(cluster, 'Address_Set', it, name)) yield;
  let status = groupStatus(found);
  const isChanged = (status.allowSameGroupTraffic ?? false) !== spec.allowSameGroupTraffic;
  for (const direction of rows.DIRECTIONS) {
    const [sum, done] = [`${direction.of}Md5`, `${direction.of}LastSyncSuccess`] as const;
    const now = JSON.stringify(spec[direction.rules]);
    if (!isForced && !isChanged && status[done] === true && status[sum] === now) continue;
    if (acls.dropAcls(cluster, group, direction)) yield;
    if (!rowNamed(cluster, 'Port_Group', group)) return;
    acls.writeRules(cluster, name, direction, spec);
    yield;
    if (!rowNamed(cluster, 'Port_Group', group)) return;
    acls.writeBase(cluster, group, direction);
    yield;
    status = { ...status, [sum]: isForced ? '' : now, [done]: true };
    if (putStatus(cluster, found, status)) yield;
  }
  const { allowSameGroupTraffic } = spec;
  if (putStatus(cluster, found, { ...status, portGroup: group, allowSameGroupTraffic })) yield;
  controller.enqueueOnce(`sg ${name}`, () => syncPorts(controller, name));
}

function putStatus(cluster: Cluster, { metadata }: KubernetesObject, status: GroupStatus): boolean {
  const current = groupNamed(cluster, metadata.name);
  if (!current) return false;
  if (JSON.stringify(current['status']) === JSON.stringify(status)) return false;
  cluster.put({ ...current, status } as unknown as GivenObject);
  return true;
}

/** ACLs, sets by their key, group (DeleteSecurityGroup). The keys of ports stay. */
function* end({ cluster }: Controller, name: string): Job {
  const group = rows.portGroupOf(name);
  if (acls.dropAcls(cluster, group)) yield;
  if (dropSets(cluster, (sg) => sg === name)) yield;
  if (take(cluster, 'Port_Group', group)) yield;
}

function dropSets(cluster: Cluster, isGone: (sg: string) => boolean): boolean {
  const found = [...cluster.rows('Address_Set')].filter(([uid, row]) => {
    const sg = keyIn(row['external_ids'], 'sg');
    return cluster.labels.get(uid) !== undefined && sg !== undefined && isGone(sg);
  });
  for (const [uid] of found) cluster.write(op.remove('Address_Set', op.byUuid(uid)));
  return found.length > 0;
}

/** Groups whose key names none that is there, then sets without a group; from v1.13 on (gc.go). */
export function* collectSecurityGroups({ cluster }: Controller): Job {
  if (!isAtLeast(cluster.release, 1, 13)) return;
  for (const [uid, row] of [...cluster.rows('Port_Group')]) {
    const sg = keyIn(row['external_ids'], 'sg');
    if (!cluster.labels.get(uid) || sg === undefined || sg === rows.DENY_ALL) continue;
    if (!groupNamed(cluster, sg) && take(cluster, 'Port_Group', String(row['name']))) yield;
  }
  const isGone = (sg: string): boolean => !rowNamed(cluster, 'Port_Group', rows.portGroupOf(sg));
  if (dropSets(cluster, isGone)) yield;
}

export const securityGroups: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { name, uid } = event.object.metadata;
  const key = `sg ${name}`;
  if (event.is === 'gone') return controller.enqueue(key, end(controller, name));
  const spec = JSON.stringify(event.object['spec']);
  const isSame = controller.memory.get(`rules of ${uid}`) === spec;
  controller.memory.set(`rules of ${uid}`, spec);
  if (!isSame) controller.enqueueOnce(key, () => update(controller, name));
};
