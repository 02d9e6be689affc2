import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';
import { isReady, type PlacedPod } from './placed-pod';

type Labels = Readonly<Record<string, string>>;

interface BudgetStatus {
  readonly observedGeneration: number;
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
  /** Those whose eviction the server just allowed. */
  readonly disruptedPods?: Labels;
}

interface Budget {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: {
    readonly minAvailable?: number;
    readonly maxUnavailable?: number;
    readonly selector: { readonly matchLabels: Labels };
  };
  readonly status?: BudgetStatus;
}

const labelled = (wanted: Labels, labels: Labels): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/**
 * Writes into the status of each PodDisruptionBudget of a namespace what the controller of these
 * writes: the API server allows or refuses an eviction by nothing else. @param expected how many
 * pods there should be with these labels.
 */
export async function keepBudgets(
  api: KubernetesServer['api'],
  namespace: string,
  expected: (labels: Labels) => number,
): Promise<void> {
  const collection = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
  // The budgets first: an eviction between the two reads makes the write below a conflict.
  const budgets = (await api.get(collection)) as { items: readonly Budget[] };
  const pods = (await api.get(`/api/v1/namespaces/${namespace}/pods`)) as {
    items: readonly PlacedPod[];
  };
  for (const budget of budgets.items) {
    const { matchLabels } = budget.spec.selector;
    const own = pods.items.filter((it) => labelled(matchLabels, it.metadata.labels));
    const status = statusOf(budget, own, expected(matchLabels));
    if (JSON.stringify(statusIn(budget)) === JSON.stringify(status)) continue;
    await api
      .send('PUT', `${collection}/${budget.metadata.name}/status`, { ...budget, status })
      .catch((error: unknown) => {
        if (!(error instanceof HttpError && error.status === 409)) throw error;
      });
  }
}

function statusOf(
  { metadata, spec, status }: Budget,
  pods: readonly PlacedPod[],
  expectedPods: number,
): BudgetStatus {
  const staying = pods.filter((it) => it.metadata.deletionTimestamp === undefined);
  const here = new Set(staying.map((it) => it.metadata.name));
  const disrupted = Object.entries(status?.disruptedPods ?? {}).filter(([name]) => here.has(name));
  const evicted = new Set(disrupted.map(([name]) => name));
  const currentHealthy = staying.filter(
    (it) => isReady(it) && !evicted.has(it.metadata.name),
  ).length;
  const desiredHealthy = spec.minAvailable ?? expectedPods - (spec.maxUnavailable ?? 0);
  return {
    observedGeneration: metadata.generation,
    expectedPods,
    currentHealthy,
    desiredHealthy,
    disruptionsAllowed: Math.max(0, currentHealthy - desiredHealthy),
    disruptedPods: Object.fromEntries(disrupted),
  };
}

/** As it was written, in the same order. */
const statusIn = ({ status }: Budget): BudgetStatus | undefined =>
  status && {
    observedGeneration: status.observedGeneration,
    expectedPods: status.expectedPods,
    currentHealthy: status.currentHealthy,
    desiredHealthy: status.desiredHealthy,
    disruptionsAllowed: status.disruptionsAllowed,
    disruptedPods: status.disruptedPods ?? {},
  };
