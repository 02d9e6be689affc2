import { etcdAtHand, provisionEtcd, type Etcd } from './etcd';
import { apiServerAtHand, provisionApiServer } from './kube-apiserver';
import type { Progress } from './progress';

/** The programs of a Kubernetes control plane, as far as we need one. */
export interface KubernetesPrograms {
  readonly etcd: Etcd;
  readonly apiServer: string;
}

/** Both as they are already here. Asks no network, builds nothing. */
export function kubernetesAtHand(): KubernetesPrograms | undefined {
  const etcd = etcdAtHand();
  const apiServer = apiServerAtHand();
  return etcd === undefined || apiServer === undefined ? undefined : { etcd, apiServer };
}

/** etcd (fetched in seconds) and kube-apiserver (built once, minutes). */
export async function provisionKubernetes(progress: Progress): Promise<KubernetesPrograms> {
  const etcd = await provisionEtcd(progress);
  return { etcd, apiServer: await provisionApiServer(progress) };
}
