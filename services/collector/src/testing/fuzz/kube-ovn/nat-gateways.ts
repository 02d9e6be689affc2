import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster, hasDeletionTimestamp } from '../cluster';
import { EXTERNAL } from '../create-external';
import type { Controller, Handler, Job } from './controller';
import {
  GATEWAY,
  isServedOtherwise,
  KEY,
  type Kind,
  KINDS,
  labelOf,
  POD,
  podOf,
  RULE_KINDS,
  servedFields,
  specOf,
} from './nat-gateway-parts';
import { isAtLeast } from './releases';

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
  const fields = servedFields(object['kind'] as (typeof RULE_KINDS)[number], object);
  const status = { v4ip: specOf(used)['v4ip'], natGwDp: GATEWAY, ready: true, ...fields };
  return { labels, status };
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

/** A change that the controller heard of, into the gateway's pod; tried again until it can be. */
function* change(controller: Controller, kind: Kind, name: string): Job {
  const { cluster, memory } = controller;
  const object = cluster.objects.get(kind, undefined, name);
  const given = alive(object) && isServedOtherwise(object) ? servedAs(cluster, object) : undefined;
  memory.set(`changes ${kind} ${name}`, true);
  if (!object || !given) return;
  memory.delete(`changes ${kind} ${name}`);
  const metadata = { ...object.metadata, labels: given.labels };
  cluster.put({ ...object, metadata, status: given.status } as unknown as GivenObject);
  cluster.diary.push(`${kind} ${name} is served as it was changed`);
  yield;
}

/** Whether nothing has it any more: each kind waits for something else. */
function isFree(cluster: Cluster, object: KubernetesObject): boolean {
  const { name } = object.metadata;
  if (object['kind'] === 'QoSPolicy')
    return [...cluster.objects.all('IptablesEIP')].every((it) => labelOf(it, 'qos') !== name);
  if (!podOf(cluster)) return false;
  const address = specOf(object)['v4ip'];
  const waitsForRules = object['kind'] === 'IptablesEIP' && isAtLeast(cluster.release, 1, 15);
  return (
    !waitsForRules ||
    RULE_KINDS.every((kind) =>
      [...cluster.objects.all(kind)].every((it) => labelOf(it, 'eip_v4_ip') !== address),
    )
  );
}

/** Out of the gateway's pod, then its finalizer; tried again until that pod is there. */
function* end(controller: Controller, kind: Kind, name: string): Job {
  const { cluster, memory } = controller;
  const object = cluster.objects.get(kind, undefined, name);
  if (!object || !hasDeletionTimestamp(object)) return;
  memory.set(`ends ${kind} ${name}`, true);
  if (!isFree(cluster, object)) return;
  memory.delete(`ends ${kind} ${name}`);
  cluster.objects.remove(kind, undefined, name);
  cluster.diary.push(`${kind} ${name} gone`);
  yield;
  retry(controller);
}

/** What failed before may be done by now. */
function retry(controller: Controller): void {
  const { cluster, memory } = controller;
  for (const kind of KINDS)
    for (const { metadata, status } of [...cluster.objects.all(kind)]) {
      const { name } = metadata;
      if (memory.has(`ends ${kind} ${name}`))
        controller.enqueueOnce(`${kind} ${name}`, () => end(controller, kind, name));
      else if (status === undefined)
        controller.enqueueOnce(`${kind} ${name}`, () => serve(controller, kind, name));
      else if (memory.has(`changes ${kind} ${name}`))
        controller.enqueueOnce(`${kind} ${name}`, () => change(controller, kind, name));
    }
}

/**
 * A change is heard of while the controller runs: a start passes over what is ready. A deletion is
 * handled likewise; by a start only since v1.17 (§7.3).
 */
export const natGatewayThings: Handler = (controller, event) => {
  if (event.is !== 'now') return;
  const { object } = event;
  const { name, uid } = object.metadata;
  const kind = object['kind'] as Kind;
  const { memory, cluster } = controller;
  const isChange = memory.has(`heard of ${uid}`);
  memory.set(`heard of ${uid}`, true);
  if (!hasDeletionTimestamp(object) && isChange && isServedOtherwise(object))
    controller.enqueueOnce(`${kind} ${name}`, () => change(controller, kind, name));
  else if (!hasDeletionTimestamp(object))
    controller.enqueueOnce(`${kind} ${name}`, () => serve(controller, kind, name));
  else if (isChange || isAtLeast(cluster.release, 1, 17))
    controller.enqueueOnce(`${kind} ${name}`, () => end(controller, kind, name));
};

/** The gateway's pod is there: what waited for it goes on. */
export const natGatewayPods: Handler = (controller, event) => {
  if (event.is === 'now' && event.object.metadata.name === POD) retry(controller);
};
