import type { Objects, Thing } from './objects';

const NODE = 'worker-1';

/**
 * What kubelets and Kubernetes' own controllers would do: pods that are being deleted end,
 * ReplicaSets have as many pods as they want, and pods without gates get a node and run.
 */
export async function tendWorkloads(objects: Objects, made: { count: number }): Promise<void> {
  const pods = await objects.list('Pod');
  for (const pod of pods)
    if (pod.metadata.deletionTimestamp !== undefined) await objects.remove(pod, true);
  for (const pod of pods)
    if (
      isOfReplicaSet(pod) &&
      !pod.spec?.['nodeName'] &&
      ((pod.spec?.['schedulingGates'] ?? []) as unknown[]).length === 0
    )
      await start(objects, pod);
  for (const set of await objects.list('ReplicaSet')) {
    if (set.metadata.labels?.['incident'] === undefined) continue; // the recorded ones are complete
    const own = pods.filter(
      ({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) &&
        metadata.deletionTimestamp === undefined,
    );
    for (let missing = Number(set.spec?.['replicas'] ?? 0) - own.length; missing > 0; missing -= 1)
      await make(objects, set, (made.count += 1));
  }
}

const isOfReplicaSet = ({ metadata }: Thing): boolean =>
  metadata.ownerReferences?.[0]?.kind === 'ReplicaSet';

async function start(objects: Objects, { metadata: { name, namespace } }: Thing): Promise<void> {
  await objects.bind({ kind: 'Pod', metadata: { name, namespace: namespace! } }, NODE);
  const bound = await objects.get('Pod', name, namespace);
  if (bound) await objects.writeStatus({ ...bound, kind: 'Pod', status: { phase: 'Running' } });
}

async function make(
  objects: Objects,
  { metadata: { name, namespace, uid }, spec }: Thing,
  number: number,
): Promise<void> {
  const { metadata } = spec?.['template'] as {
    metadata: {
      labels: Readonly<Record<string, string>>;
      annotations?: Readonly<Record<string, string>>;
    };
  };
  await objects.create({
    kind: 'Pod',
    metadata: {
      name: `${name}-${number}`,
      namespace: namespace!,
      ...metadata,
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: uid!, controller: true } as never,
      ],
    },
    spec: { containers: [{ name: 'main', image: 'example/none:1' }] },
  });
}

/** A ReplicaSet of one pod, marked for `tendWorkloads`. */
export const replicaSet = (
  namespace: string,
  name: string,
  annotations: Readonly<Record<string, string>> = {},
): Thing => ({
  kind: 'ReplicaSet',
  metadata: { name, namespace, labels: { incident: name } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations },
      spec: { containers: [{ name: 'main', image: 'example/none:1' }] },
    },
  },
});
