import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, keyIn, recordHarm, rowNamed, uuidsOf } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { isMetered, meterOf, tendMeter } from './meters';
import { take } from './networks';
import { groupOf, isSelected, policySpec, portsOf } from './policy';
import { keysOf } from './policy-acls';
import { writePolicy } from './write-policy';

/**
 * Group, members, then sets and ACLs of the rules.
 */
function* update({ cluster }: Controller, namespace: string, name: string): Job {
  const policy = cluster.objects.get('NetworkPolicy', namespace, name);
  if (!policy) return yield* forget(cluster, namespace, name);
  const group = groupOf(namespace, name);
  let [uid] = rowNamed(cluster, 'Port_Group', group) ?? [];
  if (uid === undefined) {
    uid = cluster.random.uuid();
    cluster.write(
      op.insert(
        'Port_Group',
        { name: group, external_ids: keysOf(cluster, { np: `${namespace}/${name}` }) },
        uid,
      ),
    );
    cluster.labels.set({
      kind: 'Port_Group',
      uid,
      name: group,
      by: 'kube-ovn',
      owners: [{ kind: 'NetworkPolicy', namespace, name }],
      addresses: [],
    });
    cluster.diary.push(`group ${group} made`);
    yield;
  }
  const selected = [...cluster.objects.all('Pod')]
    .filter((pod) => isSelected(policy, pod))
    .flatMap(portsOf)
    .flatMap((port) => rowNamed(cluster, 'Logical_Switch_Port', port)?.[0] ?? []);
  // Two launchers of one machine have one port.
  const members = [...new Set(selected)];
  const held = uuidsOf(cluster.rows('Port_Group').get(uid)?.['ports'] ?? ['set', []]);
  if (held.length !== members.length || members.some((it) => !held.includes(it))) {
    if (!cluster.rows('Port_Group').has(uid)) return;
    cluster.write(
      op.update('Port_Group', op.byUuid(uid), { ports: op.set(members.map((it) => op.uuid(it))) }),
    );
    cluster.diary.push(`group ${group} has ${members.length} ports`);
    yield;
  }
  yield* tendMeter(cluster, policy, group);
  yield* writePolicy(cluster, {
    uid,
    meter: isMetered(cluster, policy) ? meterOf(group) : undefined,
    name: group,
    hasPorts: members.length > 0,
    namespace,
    policy: name,
    rules: policySpec(policy).ingress,
  });
}

/** The meter, the group with its ACLs, then the sets (handleDeleteNp). */
function* forget(cluster: Cluster, namespace: string, name: string): Job {
  if (take(cluster, 'Meter', meterOf(groupOf(namespace, name)))) yield;
  if (dropGroup(cluster, namespace, name)) yield;
  for (const [uuid, row] of [...cluster.rows('Address_Set')])
    if (keyIn(row['external_ids'], 'np') === `${namespace}/${name}/ingress`) {
      recordHarm(cluster, uuid);
      cluster.write(op.remove('Address_Set', op.byUuid(uuid)));
      yield;
    }
}

/** Whether there was one. */
export function dropGroup(cluster: Cluster, namespace: string, name: string): boolean {
  const [group] = rowNamed(cluster, 'Port_Group', groupOf(namespace, name)) ?? [];
  if (group === undefined) return false;
  recordHarm(cluster, group);
  cluster.write(op.remove('Port_Group', op.byUuid(group)));
  cluster.diary.push(`group ${groupOf(namespace, name)} removed`);
  return true;
}

const enqueue = (controller: Controller, namespace: string, name: string): void =>
  controller.enqueueOnce(`policy ${namespace}/${name}`, () => update(controller, namespace, name));

export const policies: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { namespace = '', name } = event.object.metadata;
  enqueue(controller, namespace, name);
};

/** A pod that comes, goes or changes is evaluated by the policies of its namespace. */
export const policiesOfPods: Handler = (controller, event) => {
  if (event.is === 'all') return;
  for (const policy of controller.cluster.objects.all('NetworkPolicy'))
    if (policy.metadata.namespace === event.object.metadata.namespace)
      enqueue(controller, policy.metadata.namespace ?? '', policy.metadata.name);
};

/**
 * Groups of policies that are gone, after a start; what else was made for the policy is left to its
 * queue (§4.6): it stays if the controller ends before that.
 */
export function* collectPolicies(controller: Controller): Job {
  const { cluster } = controller;
  for (const [, row] of [...cluster.rows('Port_Group')]) {
    const [namespace = '', name = ''] = (keyIn(row['external_ids'], 'np') ?? '').split('/');
    if (name === '' || cluster.objects.get('NetworkPolicy', namespace, name)) continue;
    dropGroup(cluster, namespace, name);
    yield;
    enqueue(controller, namespace, name);
  }
}
