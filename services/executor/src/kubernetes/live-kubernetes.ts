import type { KubeAccess } from '@ovn-steward/reading/kubernetes/kube-request';
import { asking } from './ask';
import type { Kubernetes } from './kubernetes';
import { places } from './places';
import { readObjects } from './read-objects';
import { telling } from './tell';
import { writeObjects } from './write-objects';

export interface LiveKubernetesOptions {
  readonly access: KubeAccess;
  /** How long one request may take, a page of a list each; milliseconds. */
  readonly timeoutMs?: number;
}

/** The cluster behind an API server. Nothing is kept of what it answered but under which versions it serves the kinds. */
export function liveKubernetes({ access, timeoutMs = 10_000 }: LiveKubernetesOptions): Kubernetes {
  const ask = asking(access, timeoutMs);
  const where = places(ask);
  const reading = readObjects(ask, where);
  return {
    where: ask.server,
    ...reading,
    ...writeObjects(ask, where, reading.get),
    ...telling(ask),
    async close() {
      ask.close();
    },
  };
}
