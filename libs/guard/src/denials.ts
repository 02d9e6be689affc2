import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { POLICIES } from './policies/registry';
import { nameInCluster } from './policy-kit/policy';

/** What one API server counted since its start. */
export interface Denials {
  /**
   * When that server was started, seconds since 1970: distinguishes the servers of a cluster, and
   * each start of one. Undefined: it does not say.
   */
  readonly startedAt: number | undefined;
  /** By the id of each policy: how many requests it refused, dry runs among them. */
  readonly byPolicy: ReadonlyMap<string, number>;
}

/** Of Kubernetes (k8s.io/apiserver, pkg/admission/plugin/policy/validating/metrics). */
const METRIC = 'apiserver_validating_admission_policy_check_total';
/** Of any of its processes (k8s.io/component-base, metrics/processstarttime.go). */
const STARTED = 'process_start_time_seconds';

/**
 * How many requests our policies refused, as counted by the API server that answers, since its
 * start: each of several servers has its own count.
 * @throws Failure `source-forbidden` without the right to read its /metrics, and as all reads.
 */
export async function readDenials(
  kubernetes: Pick<Kubernetes, 'samples'>,
  signal: AbortSignal,
): Promise<Denials> {
  const samples = await kubernetes.samples([METRIC, STARTED], signal);
  const refused = samples[METRIC].filter(({ labels }) => labels['enforcement_action'] === 'deny');
  const of = (id: string): number =>
    refused
      .filter(({ labels }) => labels['policy'] === nameInCluster(id))
      .reduce((sum, it) => sum + it.value, 0);
  return {
    startedAt: samples[STARTED][0]?.value,
    byPolicy: new Map(POLICIES.map(({ id }) => [id, of(id)])),
  };
}
