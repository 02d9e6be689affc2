import { KUBERNETES_KINDS, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { createKubernetesSource } from '../kubernetes-source';
import type { Timing } from '../timing';
import { Mirror } from './mirror';

/** Follows the cluster of a kubeconfig, one mirror a stream. */
export function following(
  kubeconfig: string,
  kinds: readonly KubernetesKind[] = KUBERNETES_KINDS,
  timing: Partial<Timing> = {},
  idleMs = 90_000,
) {
  const stop = new AbortController();
  const streams = new Map(kinds.map(({ kind }) => [`kubernetes/${kind}`, new Mirror()]));
  const reports: string[] = [];
  const client = createKubeClient(kubeAccess({ kubeconfig }), { connectMs: 2_000, idleMs });
  const source = createKubernetesSource({
    client,
    kinds,
    timing: { backoff: { base: 20, max: 200 }, slowRetry: 500, ...timing },
    report: (stream, message) => reports.push(`${stream}: ${message}`),
  });
  const ended = (async () => {
    for await (const batch of source.observe(stop.signal)) {
      for (const it of batch) streams.get(it.stream)?.take([it]);
    }
  })();
  const of = (kind: string): Mirror => streams.get(`kubernetes/${kind}`) as Mirror;
  return {
    of,
    reports,
    settled: (): boolean =>
      kinds.every(
        ({ kind }) => of(kind).count('complete') > 0 || of(kind).unavailable !== undefined,
      ),
    stop: (): Promise<void> => {
      stop.abort();
      return ended;
    },
  };
}
