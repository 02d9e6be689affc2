import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { Cluster } from '../cluster';

const NAMESPACE = 'kube-system';
const NAME = 'kube-ovn-controller-7c9d5b-x2x';

/** The container ended by itself. */
export function endRun(cluster: Cluster): void {
  const { runs, now } = cluster;
  if (runs.since === undefined) return;
  runs.ended.push({ from: runs.since, to: now });
  runs.since = undefined;
  show(cluster);
}

/** Its node started the container again. */
export function beginRun(cluster: Cluster): void {
  cluster.runs.since = cluster.now;
  show(cluster);
}

const textOf = (time: number): string => new Date(time).toISOString();

/** What the kubelet writes of it. */
function show(cluster: Cluster): void {
  const { born, ended, since } = cluster.runs;
  const last = ended.at(-1);
  const terminated = last && {
    startedAt: textOf(last.from),
    finishedAt: textOf(last.to),
    exitCode: 1,
    reason: 'Error',
  };
  cluster.put({
    kind: 'Pod',
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      creationTimestamp: textOf(born),
      labels: { app: 'kube-ovn-controller' },
    },
    spec: { nodeName: 'worker-1', hostNetwork: true, restartPolicy: 'Always' },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'kube-ovn-controller',
          ready: since !== undefined,
          // A kubelet counts starts.
          restartCount: since === undefined ? Math.max(0, ended.length - 1) : ended.length,
          state:
            since === undefined
              ? { waiting: { reason: 'CrashLoopBackOff' } }
              : { running: { startedAt: textOf(since) } },
          lastState: terminated ? { terminated } : {},
        },
      ],
    },
  } as unknown as GivenObject);
}
