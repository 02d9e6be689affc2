import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

const KEY = 'ovn.kubernetes.io/';

/** By which a pod asks for a gateway of its own. */
export const GATEWAY_ANNOTATIONS = ['north_gateway', 'eip', 'snat'].map((it) => KEY + it);

/**
 * Pods that ask for a gateway or an external address of their own, by the addresses Kube-OVN gave
 * them, in one spelling. A record may be gone while its pod goes on with the address.
 */
export const gatewayPodsByAddress = defineRelation({
  id: 'gateway-pods-by-address',
  kinds: ['Pod'],
  keys: ({ object: { metadata } }) => {
    const { annotations = {} } = metadata;
    if (!GATEWAY_ANNOTATIONS.some((it) => (annotations[it] ?? '') !== '')) return [];
    return (annotations[`${KEY}ip_address`] ?? '')
      .split(',')
      .flatMap((it) => tryParseIp(it.trim()) ?? [])
      .map(formatIp);
  },
});
