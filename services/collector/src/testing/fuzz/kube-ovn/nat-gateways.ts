import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster, isGoing } from '../cluster';
import { EXTERNAL } from '../create-external';
import type { Controller, Handler, Job } from './controller';
import { isAtLeast } from './releases';

/** The one NAT gateway that a history has, and the namespace of its pod. */
export const GATEWAY = 'nat-1';
export const RUNS_IN = 'default';
const POD = `vpc-nat-gw-${GATEWAY}-0`;
const KEY = 'ovn.kubernetes.io/';

export const RULE_KINDS = ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule'] as const;
type Kind = 'IptablesEIP' | (typeof RULE_KINDS)[number] | 'QoSPolicy';
const KINDS: readonly Kind[] = ['IptablesEIP', ...RULE_KINDS, 'QoSPolicy'];

const podOf = ({ objects }: Cluster): KubernetesObject | undefined =>
  objects.get('Pod', RUNS_IN, POD);
const specOf = (object: KubernetesObject): Record<string, string> =>
  object['spec'] as Record<string, string>;
const labelOf = ({ metadata }: KubernetesObject, key: string): string | undefined =>
  (metadata['labels'] as Record<string, string> | undefined)?.[KEY + key];

/** What is left of the gateway: the object itself, or what runs it. */
export const isGatewayLeft = (cluster: Cluster): boolean =>
  cluster.objects.get('VpcNatGateway', undefined, GATEWAY) !== undefined ||
  cluster.objects.get('StatefulSet', RUNS_IN, `vpc-nat-gw-${GATEWAY}`) !== undefined ||
  podOf(cluster) !== undefined;

/** Rules that use an external address, by name, as their specs say. */
export const rulesOf = ({ objects }: Cluster, eip: string): KubernetesObject[] =>
  RULE_KINDS.flatMap((kind) => [...objects.all(kind)].filter((it) => specOf(it)['eip'] === eip));

/** External addresses that a QoS policy was given to. */
export const usersOf = ({ objects }: Cluster, policy: string): KubernetesObject[] =>
  [...objects.all('IptablesEIP')].filter((it) => specOf(it)['qosPolicy'] === policy);

/** What of it is written once it is served: labels and status; undefined of what cannot be. */
function servedAs(
  cluster: Cluster,
  object: KubernetesObject,
): { labels: Record<string, string>; status: object } | undefined {
  const { v4ip = '', eip = '', qosPolicy } = specOf(object);
  if (object['kind'] === 'QoSPolicy') return { labels: {}, status: { shared: true } };
  if (!podOf(cluster)) return undefined;
  const labels: Record<string, string> = { [`${KEY}vpc-nat-gw-name`]: GATEWAY };
  if (object['kind'] === 'IptablesEIP') {
    if (qosPolicy !== undefined) labels[`${KEY}qos`] = qosPolicy;
    labels[`${KEY}subnet`] = EXTERNAL;
    return { labels, status: { ip: v4ip, ready: true, qosPolicy: qosPolicy ?? '' } };
  }
  const used = cluster.objects.get('IptablesEIP', undefined, eip);
  if (!used || labelOf(used, 'subnet') === undefined) return undefined;
  labels[`${KEY}eip_v4_ip`] = specOf(used)['v4ip']!;
  return { labels, status: { v4ip: specOf(used)['v4ip'], natGwDp: GATEWAY, ready: true } };
}

/** Into the gateway's pod, then labels with the finalizer and the status. */
function* serve({ cluster }: Controller, kind: Kind, name: string): Job {
  const object = cluster.objects.get(kind, undefined, name);
  if (!alive(object) || object['status'] !== undefined) return;
  const given = servedAs(cluster, object);
  if (!given) return;
  const finalizers = [cluster.release.finalizer];
  const metadata = { ...object.metadata, labels: given.labels, finalizers };
  cluster.put({ ...object, metadata, status: given.status } as unknown as GivenObject);
  cluster.diary.push(`${kind} ${name} is served`);
  yield;
}

/** Whether nothing has it any more: each kind waits for something else. */
function isFree(cluster: Cluster, object: KubernetesObject): boolean {
  const { name } = object.metadata;
  if (object['kind'] === 'QoSPolicy')
    return [...cluster.objects.all('IptablesEIP')].every((it) => labelOf(it, 'qos') !== name);
  if (!podOf(cluster)) return false;
  const address = specOf(object)['v4ip'];
  return (
    object['kind'] !== 'IptablesEIP' ||
    RULE_KINDS.every((kind) =>
      [...cluster.objects.all(kind)].every((it) => labelOf(it, 'eip_v4_ip') !== address),
    )
  );
}

/** Out of the gateway's pod, then its finalizer; tried again until that pod is there. */
function* end(controller: Controller, kind: Kind, name: string): Job {
  const { cluster, memory } = controller;
  const object = cluster.objects.get(kind, undefined, name);
  if (!object || !isGoing(object)) return;
  memory.set(`ends ${kind} ${name}`, true);
  if (!isFree(cluster, object)) return;
  memory.delete(`ends ${kind} ${name}`);
  cluster.objects.remove(kind, undefined, name);
  cluster.diary.push(`${kind} ${name} gone`);
  yield;
  retry(controller);
}

/** What failed before may be done by now. */
export function retry(controller: Controller): void {
  const { cluster, memory } = controller;
  for (const kind of KINDS)
    for (const { metadata, status } of [...cluster.objects.all(kind)]) {
      const { name } = metadata;
      if (memory.has(`ends ${kind} ${name}`))
        controller.enqueueOnce(`${kind} ${name}`, () => end(controller, kind, name));
      else if (status === undefined)
        controller.enqueueOnce(`${kind} ${name}`, () => serve(controller, kind, name));
    }
}

/** A deletion is handled where a change is heard of; by a start only since v1.17 (§7.3). */
export const natGatewayThings: Handler = (controller, event) => {
  if (event.is !== 'now') return;
  const { object } = event;
  const { name, uid } = object.metadata;
  const kind = object['kind'] as Kind;
  const { memory, cluster } = controller;
  const isChange = memory.has(`heard of ${uid}`) || isAtLeast(cluster.release, 1, 17);
  memory.set(`heard of ${uid}`, true);
  if (!isGoing(object))
    controller.enqueueOnce(`${kind} ${name}`, () => serve(controller, kind, name));
  else if (isChange) controller.enqueueOnce(`${kind} ${name}`, () => end(controller, kind, name));
};

/** The gateway's pod is there: what waited for it goes on. */
export const natGatewayPods: Handler = (controller, event) => {
  if (event.is === 'now' && event.object.metadata.name === POD) retry(controller);
};

/** What runs the gateway, with its pod; and that pod alone. */
export function putGateway(cluster: Cluster): void {
  cluster.put({ kind: 'VpcNatGateway', metadata: { name: GATEWAY }, spec: { namespace: RUNS_IN } });
  cluster.put({
    kind: 'StatefulSet',
    metadata: { name: `vpc-nat-gw-${GATEWAY}`, namespace: RUNS_IN },
    spec: { replicas: 1 },
  });
  putGatewayPod(cluster);
}

/** On the host's network here: its own addresses are another matter. */
export function putGatewayPod(cluster: Cluster): void {
  cluster.put({
    kind: 'Pod',
    metadata: { name: POD, namespace: RUNS_IN, labels: { app: `vpc-nat-gw-${GATEWAY}` } },
    spec: { nodeName: 'worker-1', hostNetwork: true, restartPolicy: 'Always' },
    status: { phase: 'Running' },
  });
  cluster.diary.push(`pod ${POD} runs`);
}

export function dropGatewayPod(cluster: Cluster): void {
  cluster.objects.remove('Pod', RUNS_IN, POD);
  cluster.diary.push(`pod ${POD} gone`);
}
