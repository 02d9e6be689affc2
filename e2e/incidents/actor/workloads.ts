import type { Objects, Thing } from './objects';

/** What kubelets and Kubernetes' own controllers would do: pods that are told to go end, and ReplicaSets have as many pods as they want. */
export async function tendWorkloads(objects: Objects, made: { count: number }): Promise<void> {
  const pods = await objects.list('Pod');
  for (const pod of pods) if (pod.metadata.deletionTimestamp !== undefined) await objects.remove(pod, true);
  for (const set of await objects.list('ReplicaSet')) {
    if (set.metadata.labels?.['incident'] === undefined) continue; // the recorded ones are complete
    const own = pods.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) && metadata.deletionTimestamp === undefined);
    for (let missing = Number(set.spec?.['replicas'] ?? 0) - own.length; missing > 0; missing -= 1) await make(objects, set, (made.count += 1));
  }
}

async function make(objects: Objects, { metadata: { name, namespace, uid }, spec }: Thing, number: number): Promise<void> {
  const { metadata } = spec?.['template'] as { metadata: { labels: Readonly<Record<string, string>>; annotations?: Readonly<Record<string, string>> } };
  const pod = await objects.create({
    kind: 'Pod',
    metadata: { name: `${name}-${number}`, namespace: namespace!, ...metadata, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: uid!, controller: true } as never] },
    spec: { nodeName: 'worker-1', containers: [{ name: 'main', image: 'example/none:1' }] },
  });
  await objects.writeStatus({ ...pod, kind: 'Pod', status: { phase: 'Running' } });
}

/** A ReplicaSet of one pod, marked for `tendWorkloads`. */
export const replicaSet = (namespace: string, name: string, annotations: Readonly<Record<string, string>> = {}): Thing => ({
  kind: 'ReplicaSet',
  metadata: { name, namespace, labels: { incident: name } },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name }, annotations }, spec: { containers: [{ name: 'main', image: 'example/none:1' }] } } },
});
