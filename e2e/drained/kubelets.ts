import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { type Running, startWorkload } from '../../tools/chart/as-process';
import type { ChartObject } from '../../tools/chart/rendered';
import { isReady, type PlacedPod } from './placed-pod';

export interface KubeletsOptions {
  readonly api: KubernetesServer['api'];
  readonly namespace: string;
  /** What is installed. */
  readonly objects: readonly ChartObject[];
  /** Of the account of a workload. */
  kubeconfigOf(workload: string): string;
  /** For all volumes; each pod has a folder of its own there. */
  readonly folder: string;
}

/** How a process of a pod ended. */
export interface Ended {
  readonly pod: string;
  readonly node: string;
  /** Its exit status; null when it was killed, as its grace period had passed. */
  readonly status: number | null;
  /** Nobody asked it to. */
  readonly byItself: boolean;
}

interface Process {
  readonly running: Running;
  readonly node: string;
  isReported: boolean;
  gone: boolean;
}

/**
 * What kubelets do for pods of the chart, with processes of this machine in the place of
 * containers.
 */
export class Kubelets {
  readonly ended: Ended[] = [];
  readonly #processes = new Map<string, Process>();
  readonly #pods: string;

  constructor(private readonly options: KubeletsOptions) {
    this.#pods = `/api/v1/namespaces/${options.namespace}/pods`;
  }

  /** The process of a pod. */
  process(pod: string): Running {
    return this.#processes.get(pod)!.running;
  }

  /** Does what is next for a pod that stands on a node. */
  async serve(workload: string, pod: PlacedPod): Promise<void> {
    const process = this.#processes.get(pod.metadata.name);
    if (pod.metadata.deletionTimestamp !== undefined) await this.#terminate(pod, process);
    else if (process === undefined || process.gone) await this.#run(workload, pod);
    else await this.#reportReadiness(pod, process);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((it) => it.running.stop()));
  }

  async #run(workload: string, { metadata: { name }, spec }: PlacedPod): Promise<void> {
    const { objects, folder, kubeconfigOf } = this.options;
    const running = await startWorkload(objects, workload, {
      folder,
      kubeconfig: kubeconfigOf(workload),
      pod: name,
    });
    const process: Process = { running, node: spec.nodeName!, isReported: false, gone: false };
    this.#processes.set(name, process);
    void running.ended.then((status) => {
      process.gone = true;
      this.ended.push({ pod: name, node: process.node, status, byItself: !process.isReported });
    });
  }

  /** SIGTERM, after the grace period SIGKILL, and the pod goes when its process is gone. */
  async #terminate({ metadata }: PlacedPod, process: Process | undefined): Promise<void> {
    if (process === undefined || process.gone) {
      this.#processes.delete(metadata.name);
      await this.options.api.send('DELETE', `${this.#pods}/${metadata.name}`, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid: metadata.uid },
      });
      return;
    }
    if (process.isReported) return;
    process.isReported = true;
    process.running.signal('SIGTERM');
    const late = setTimeout(
      () => process.running.signal('SIGKILL'),
      metadata.deletionGracePeriodSeconds! * 1000,
    );
    void process.running.ended.then(() => clearTimeout(late));
  }

  /** Whether it is ready, when that has changed. */
  async #reportReadiness(pod: PlacedPod, { running }: Process): Promise<void> {
    const ready = await fetch(`http://${running.address}/readyz`, {
      signal: AbortSignal.timeout(3000),
    }).then(
      (it) => it.ok,
      () => false,
    );
    if (ready === isReady(pod)) return;
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
    await this.options.api.send('PUT', `${this.#pods}/${pod.metadata.name}/status`, {
      ...pod,
      status: { ...pod.status, phase: 'Running', conditions },
    });
  }
}
