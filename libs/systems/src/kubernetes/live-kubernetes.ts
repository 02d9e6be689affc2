import { createKubeClient } from './kube-client';
import type { KubeAccess } from './kube-request';
import { kubernetesRequests } from './kubernetes-requests';
import { followObjects } from './follow-objects';
import type { Kubernetes } from './kubernetes';
import { lists } from './list-objects';
import { places } from './places';
import { readObjects } from './read-objects';
import { readSamples } from './read-samples';
import { eventWriter } from './event-writer';
import { writeObjects } from './write-objects';

export interface LiveKubernetesOptions {
  readonly access: KubeAccess;
  /** How long one request may take, a page of a list each; milliseconds. */
  readonly timeoutMs?: number;
  /** The program that its Events name, as a qualified name; by default the executor. */
  readonly reporter?: string;
}

/**
 * The cluster behind an API server. Nothing is kept of what it answered but under which versions it
 * serves the kinds.
 */
export function liveKubernetes({
  access,
  timeoutMs = 10_000,
  reporter = 'ovn-steward.dev/executor',
}: LiveKubernetesOptions): Kubernetes {
  const closing = new AbortController();
  const requests = kubernetesRequests(access, timeoutMs);
  const where = places(requests);
  const listing = lists(requests, where);
  const reading = readObjects(requests, where, listing);
  return {
    where: requests.server,
    ...reading,
    ...writeObjects(requests, where, reading.get),
    ...eventWriter(requests, reporter),
    ...followObjects(createKubeClient(access), where, listing, closing.signal),
    samples: (metrics, signal) =>
      requests.within(signal, (limited) => readSamples(requests.client, metrics, limited)),
    async close() {
      closing.abort();
      requests.close();
    },
  };
}
