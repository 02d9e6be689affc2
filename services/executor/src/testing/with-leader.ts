import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { KUBE_OVN } from './recorded-engine';

/**
 * The same cluster with a kube-ovn-controller that leads: its Lease, which is the recorded one
 * where there is one, is renewed whenever somebody reads it.
 */
export function withLeader<K extends Kubernetes>(kubernetes: K): K {
  let renewals = 0;
  const get: Kubernetes['get'] = async (kind, namespace, name, signal) => {
    const found = await kubernetes.get(kind, namespace, name, signal);
    if (kind !== 'Lease' || name !== KUBE_OVN.lease) return found;
    const lease = found ?? {
      metadata: { ...KUBE_OVN, name, uid: 'uid-lease', resourceVersion: '1' },
      spec: { holderIdentity: 'kube-ovn-controller-0', acquireTime: '2020-01-01T00:00:00Z' },
    };
    renewals += 1;
    const { spec } = lease as { spec?: { holderIdentity?: string } };
    return {
      ...lease,
      spec: {
        ...spec,
        holderIdentity: spec?.holderIdentity || 'kube-ovn-controller-0',
        renewTime: new Date(renewals).toISOString(),
      },
    } as KubernetesObject;
  };
  return Object.assign(Object.create(kubernetes) as K, { get });
}
