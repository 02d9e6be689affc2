import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubernetesObject } from './kubernetes';

/** Of an object's metadata, what somebody else than the server wrote. */
const KEPT = ['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

/**
 * The object as it would be created anew: without what the server writes (uid, resourceVersion, times, generation, managedFields) and without
 * the status, which a controller writes. Kube-OVN keeps the addresses of IP, Vip, OvnEip and IptablesEIP in the spec (kube-ovn.md §1).
 */
export function manifestOf(kind: string, { status: _status, metadata, ...object }: KubernetesObject): Readonly<Record<string, unknown>> {
  const entry = kubernetesKind(kind);
  const kept = Object.fromEntries(KEPT.flatMap((it) => (metadata[it] === undefined ? [] : [[it, metadata[it]]])));
  return { ...(entry && { apiVersion: apiVersionOf(entry) }), kind, ...object, metadata: kept };
}
