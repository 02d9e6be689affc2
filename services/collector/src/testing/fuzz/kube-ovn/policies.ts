import { operation as op } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { annotationOf, type Cluster, keyIn, recordHarm, rowNamed, uuidsOf } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { isLive, machineOf } from './pod';

const SUFFIX = '.kubernetes.io/allocated';

/** The name of its group (kube-ovn.md §3.4). */
export const groupOf = (namespace: string, name: string): string =>
  `${name}.${namespace}`.replaceAll('-', '.');

/** The keys a release writes beside these. */
const keysOf = ({ release }: Cluster, ids: Readonly<Record<string, string>>) =>
  op.map(Object.entries({ ...ids, ...(release.tagsAll && { vendor: 'kube-ovn' }) }));

interface PolicySpec {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
}

/** Whether the policy is for the pod. */
export function isSelected(policy: KubernetesObject, pod: KubernetesObject): boolean {
  const { matchLabels = {} } = (policy['spec'] as PolicySpec).podSelector;
  const labels = (pod.metadata['labels'] as Record<string, string> | undefined) ?? {};
  return (
    policy.metadata.namespace === pod.metadata.namespace &&
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
  );
}

/** The names of the ports a living pod says it has. */
export function portsOf(pod: KubernetesObject): string[] {
  if (!isLive(pod)) return [];
  const { namespace = '', name } = pod.metadata;
  return Object.entries((pod.metadata['annotations'] as object | undefined) ?? {}).flatMap(
    ([key, value]) => {
      if (!key.endsWith(SUFFIX) || value !== 'true') return [];
      const provider = key.slice(0, -SUFFIX.length);
      const owner =
        annotationOf(pod, `${provider}.kubernetes.io/virtualmachine`) ?? machineOf(pod) ?? name;
      return [nameOf({ namespace, pod: owner, suffix: provider === 'ovn' ? '' : `.${provider}` })];
    },
  );
}

/**
 * Group, members, address set, then ACLs: the old ones go before the new ones come (§5, row 70a).
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
  if (yieldedSet(cluster, namespace, name)) yield;
  yield* writeAcls(cluster, uid, group, members.length > 0);
}

/** The set of its peers. Whether it was made. */
function yieldedSet(cluster: Cluster, namespace: string, name: string): boolean {
  const set = `${groupOf(namespace, name)}.ingress.allow.IPv4.0`;
  if (rowNamed(cluster, 'Address_Set', set)) return false;
  const uid = cluster.random.uuid();
  cluster.write(
    op.insert(
      'Address_Set',
      { name: set, external_ids: keysOf(cluster, { np: `${namespace}/${name}/ingress` }) },
      uid,
    ),
  );
  cluster.labels.set({
    kind: 'Address_Set',
    uid,
    name: set,
    by: 'kube-ovn',
    owners: [{ kind: 'NetworkPolicy', namespace, name }],
    addresses: [],
  });
  return true;
}

function* writeAcls(cluster: Cluster, group: string, name: string, hasPorts: boolean): Job {
  const acls = (): string[] =>
    uuidsOf(cluster.rows('Port_Group').get(group)?.['acls'] ?? ['set', []]);
  if (acls().length > 0 && !hasPorts) {
    cluster.write(op.update('Port_Group', op.byUuid(group), { acls: op.set([]) }));
    cluster.diary.push(`group ${name} loses its ACLs`);
    yield;
  }
  if (!hasPorts || acls().length > 0 || !cluster.rows('Port_Group').has(group)) return;
  const holder = { table: 'Port_Group', uuid: group, column: 'acls' };
  const acl = (priority: number, action: string, match: string) =>
    add(
      'ACL',
      cluster.random.uuid(),
      {
        direction: 'to-lport',
        priority,
        action,
        match,
        ...(cluster.release.movesTiers && { tier: 2 }),
        external_ids: keysOf(cluster, { parent: name }),
      },
      holder,
    );
  cluster.write(
    ...acl(2000, 'drop', `outport == @${name} && ip`),
    ...acl(
      2001,
      'allow-related',
      `outport == @${name} && ip4.src == $${name}.ingress.allow.IPv4.0`,
    ),
  );
  cluster.diary.push(`group ${name} has ACLs`);
  yield;
}

/** The group with its ACLs, then the sets (handleDeleteNp). */
function* forget(cluster: Cluster, namespace: string, name: string): Job {
  const [group] = rowNamed(cluster, 'Port_Group', groupOf(namespace, name)) ?? [];
  if (group !== undefined) {
    recordHarm(cluster, group);
    cluster.write(op.remove('Port_Group', op.byUuid(group)));
    cluster.diary.push(`group ${groupOf(namespace, name)} removed`);
    yield;
  }
  for (const [uuid, row] of [...cluster.rows('Address_Set')])
    if (keyIn(row['external_ids'], 'np') === `${namespace}/${name}/ingress`) {
      recordHarm(cluster, uuid);
      cluster.write(op.remove('Address_Set', op.byUuid(uuid)));
      yield;
    }
}

const enqueue = (controller: Controller, namespace: string, name: string): void =>
  controller.enqueueOnce(`policy ${namespace}/${name}`, () => update(controller, namespace, name));

export const policies: Handler = (controller, event) => {
  if (event.is === 'all') return;
  const { namespace = '', name } = event.object.metadata;
  enqueue(controller, namespace, name);
};

/** A pod that comes, goes or changes is looked at by the policies of its namespace. */
export const policiesOfPods: Handler = (controller, event) => {
  if (event.is === 'all') return;
  for (const it of controller.cluster.objects.all('NetworkPolicy'))
    if (it.metadata.namespace === event.object.metadata.namespace)
      enqueue(controller, it.metadata.namespace ?? '', it.metadata.name);
};

/** Groups of policies that are gone, after a start; their sets go with them (§4.6). */
export function* collectPolicies({ cluster }: Controller): Job {
  for (const [, row] of [...cluster.rows('Port_Group')]) {
    const [namespace = '', name = ''] = (keyIn(row['external_ids'], 'np') ?? '').split('/');
    if (name === '' || cluster.objects.get('NetworkPolicy', namespace, name)) continue;
    yield* forget(cluster, namespace, name);
  }
}
