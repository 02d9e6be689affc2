import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const NAME = 'kube-ovn-controller';

interface Lease {
  readonly metadata: object;
  readonly spec?: { readonly holderIdentity?: string };
}

/** Plays a kube-ovn-controller that leads and does nothing else: renews its Lease every second. @returns what ends it. */
export function lead(api: KubernetesServer['api']): () => Promise<void> {
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
      await renew().catch(() => undefined); // somebody else wrote in between: the next round sees it
      await sleep(1000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await ended;
  };
}

/** As Kubernetes writes times of Leases (metav1.MicroTime). */
const microTime = (at: Date): string => at.toISOString().replace(/Z$/, '000Z');
