import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';
import type { Running } from '../../tools/chart/as-process';
import type { ChartObject } from '../../tools/chart/rendered';
import { keepBudgets } from './budgets';
import { type Ended, Kubelets, type KubeletsOptions } from './kubelets';
import { isReady, type PlacedPod, podNamesOf, podOf } from './placed-pod';
import { Volumes } from './volumes';

const ROUND_MS = 200;
const PATIENCE_MS = 180_000;

/** What a component's objects have in common. */
const componentOf = (labels: Readonly<Record<string, string>>): string | undefined =>
  labels['app.kubernetes.io/component'];

/**
 * Runs the StatefulSets of the chart where there are neither controllers nor a scheduler nor
 * kubelets: it does their part against a real API server, on which others drain nodes and evict
 * pods.
 */
export class Nodes {
  readonly volumes: Volumes;
  readonly #kubelets: Kubelets;
  readonly #sets: readonly ChartObject[];
  readonly #pods: string;
  #seen = new Map<string, PlacedPod>();
  #observations = 0;
  #uids: ReadonlyMap<string, string> = new Map();
  #stopped = false;
  readonly #rounds: Promise<void>;

  /** @param names of the nodes that pods may stand on. */
  constructor(
    private readonly options: KubeletsOptions,
    private readonly names: readonly string[],
  ) {
    this.volumes = new Volumes(options.folder);
    this.#kubelets = new Kubelets(options);
    this.#sets = options.objects.filter(({ kind }) => kind === 'StatefulSet');
    this.#pods = `/api/v1/namespaces/${options.namespace}/pods`;
    this.#rounds = this.#run();
    this.#rounds.catch(() => undefined); // who waits gets the error
  }

  get ended(): readonly Ended[] {
    return this.#kubelets.ended;
  }

  process(pod: string): Running {
    return this.#kubelets.process(pod);
  }

  /** The pods that stand on a node. */
  on(node: string): readonly string[] {
    return [...this.#seen.values()]
      .filter(({ spec }) => spec.nodeName === node)
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** Where a pod stands; none while it is Pending. */
  nodeOf(pod: string): string | undefined {
    return this.#seen.get(pod)?.spec.nodeName;
  }

  /** Settles when every pod is ready. */
  allReady(): Promise<void> {
    return this.#until('ready', this.#sets.flatMap(podNamesOf), (it) => this.#serves(it));
  }

  /** Settles when these pods wait for a node. */
  pending(pods: readonly string[]): Promise<void> {
    return this.#until('Pending', pods, (name) => {
      const pod = this.#seen.get(name);
      return pod !== undefined && pod.spec.nodeName === undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#rounds.finally(() => this.#kubelets.stop());
  }

  async #run(): Promise<void> {
    const { items } = (await this.options.api.get(
      `/apis/apps/v1/namespaces/${this.options.namespace}/statefulsets`,
    )) as { items: readonly { metadata: { name: string; uid: string } }[] };
    this.#uids = new Map(items.map(({ metadata }) => [metadata.name, metadata.uid]));
    for (; !this.#stopped; await sleep(ROUND_MS))
      await this.#round().catch((error: unknown) => {
        // Who evicts writes the same objects.
        if (!(error instanceof HttpError && [404, 409].includes(error.status))) throw error;
      });
  }

  async #round(): Promise<void> {
    const { api, namespace } = this.options;
    const { items } = (await api.get(this.#pods)) as { items: readonly PlacedPod[] };
    this.#seen = new Map(items.map((it) => [it.metadata.name, it]));
    this.#observations += 1;
    for (const set of this.#sets)
      for (const name of podNamesOf(set)) await this.#keep(set, name, this.#seen.get(name));
    await keepBudgets(api, namespace, (labels) =>
      this.#sets
        .filter(({ metadata }) => componentOf(metadata.labels) === componentOf(labels))
        .reduce((sum, it) => sum + podNamesOf(it).length, 0),
    );
  }

  async #keep(set: ChartObject, name: string, pod: PlacedPod | undefined): Promise<void> {
    const { api } = this.options;
    if (pod === undefined) {
      await api.send('POST', this.#pods, podOf(set, name, this.#uids.get(set.metadata.name)!));
      return;
    }
    if (pod.spec.nodeName !== undefined) return this.#kubelets.serve(set.metadata.name, pod);
    const node = await this.#placeFor(set, name);
    if (node === undefined) return;
    await api.send('POST', `${this.#pods}/${name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { kind: 'Node', name: node },
    });
    this.volumes.placed(name, node);
    this.#seen.set(name, { ...pod, spec: { nodeName: node } }); // the next one goes elsewhere
  }

  /**
   * The node of its volume, else the one with the fewest of its workload; undefined while there is
   * none.
   */
  async #placeFor(set: ChartObject, pod: string): Promise<string | undefined> {
    const { items } = (await this.options.api.get('/api/v1/nodes')) as {
      items: readonly { metadata: { name: string }; spec: { unschedulable?: boolean } }[];
    };
    const closed = items
      .filter(({ spec }) => spec.unschedulable === true)
      .map(({ metadata }) => metadata.name);
    const open = this.names.filter((it) => !closed.includes(it));
    const bound = this.volumes.nodeOf(pod);
    if (bound !== undefined) return open.find((it) => it === bound);
    const beside = (node: string): number =>
      this.on(node).filter((it) => podNamesOf(set).includes(it)).length;
    return open.sort((one, other) => beside(one) - beside(other))[0];
  }

  #serves(name: string): boolean {
    const pod = this.#seen.get(name);
    return pod !== undefined && pod.metadata.deletionTimestamp === undefined && isReady(pod);
  }

  async #until(what: string, pods: readonly string[], is: (pod: string) => boolean): Promise<void> {
    const fresh = this.#observations + 2; // one may have begun before what is waited for
    const end = Date.now() + PATIENCE_MS;
    while (this.#observations < fresh || !pods.every(is)) {
      await Promise.race([sleep(100), this.#rounds]);
      if (Date.now() < end) continue;
      const output = pods.filter((it) => !is(it)).map((it) => this.#outputOf(it));
      throw new Error(`not ${what}: ${output.join('\n')}`);
    }
  }

  #outputOf(name: string): string {
    const node = this.#seen.get(name)?.spec.nodeName;
    if (node === undefined) return `${name} stands nowhere`;
    return `${name} on ${node}: ${this.process(name).output().slice(-3000)}`;
  }
}
