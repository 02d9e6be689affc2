import type { Kubernetes } from '../kubernetes/kubernetes';
import { POLICIES } from './policies/registry';
import { nameInCluster } from './policy';

/** By the id of each policy: how many requests it refused. */
export type DenialsByPolicy = ReadonlyMap<string, number>;

/** Of Kubernetes (k8s.io/apiserver, pkg/admission/plugin/policy/validating/metrics). */
const METRIC = 'apiserver_validating_admission_policy_check_total';

/**
 * How many requests our policies refused, as the API server that is asked counts them since its start: of several servers each counts its own.
 * @throws Failure `source-forbidden` without the right to read its /metrics, and as all reads.
 */
export async function readDenials(kubernetes: Pick<Kubernetes, 'samples'>, signal: AbortSignal): Promise<DenialsByPolicy> {
  const refused = (await kubernetes.samples(METRIC, signal)).filter(({ labels }) => labels['enforcement_action'] === 'deny');
  return new Map(POLICIES.map(({ id }) => [id, refused.filter(({ labels }) => labels['policy'] === nameInCluster(id)).reduce((sum, it) => sum + it.value, 0)]));
}
