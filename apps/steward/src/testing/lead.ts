import { pause } from '@ovn-steward/shared/pause';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const NAME = 'kube-ovn-controller';

interface Thing {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
}

interface Lease {
  readonly metadata: object;
  readonly spec?: { readonly holderIdentity?: string };
}

/**
 * Plays a kube-ovn-controller that leads: renews its Lease every second.
 * @param options.finishes whether it finishes deletions of IPs, too; it does nothing else.
 * @returns what ends it.
 */
export function lead(
  api: KubernetesServer['api'],
  { finishes = false }: { readonly finishes?: boolean } = {},
): () => Promise<void> {
  const finish = async (): Promise<void> => {
    const { items } = (await api.get('/apis/kubeovn.io/v1/ips')) as { items: readonly Thing[] };
    for (const ip of items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined))
      await api.send('PUT', `/apis/kubeovn.io/v1/ips/${ip.metadata.name}`, {
        ...ip,
        metadata: { ...ip.metadata, finalizers: [] },
      });
  };
  const stop = new AbortController();
  const renew = async (): Promise<void> => {
    const renewed = { leaseDurationSeconds: 15, renewTime: microTime(new Date()) };
    const found = (await api.get(`${LEASES}/${NAME}`).catch(() => undefined)) as Lease | undefined;
    if (found === undefined)
      await api.send('POST', LEASES, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: NAME, namespace: 'kube-system' },
        spec: { holderIdentity: NAME, acquireTime: '2026-01-01T00:00:00.000000Z', ...renewed },
      });
    else
      await api.send('PUT', `${LEASES}/${NAME}`, {
        ...found,
        spec: { ...found.spec, holderIdentity: found.spec?.holderIdentity || NAME, ...renewed },
      });
  };
  const ended = (async () => {
    while (!stop.signal.aborted) {
      // Somebody else may write in between: the next round sees it.
      await renew().catch(() => undefined);
      if (finishes) await finish().catch(() => undefined);
      await pause(finishes ? 200 : 1000, stop.signal);
    }
  })();
  return async () => {
    stop.abort();
    await ended;
  };
}

/** As Kubernetes writes times of Leases (metav1.MicroTime). */
const microTime = (at: Date): string => at.toISOString().replace(/Z$/, '000Z');
