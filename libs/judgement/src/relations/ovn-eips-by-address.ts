import { addressesOfOvnEip } from '../kube-ovn/external-addresses';
import { defineRelation } from '../world/relation';

/**
 * OvnEips for NAT by the addresses they were given or request; those of router ports and nodes are
 * used without NAT.
 */
export const ovnEipsByAddress = defineRelation({
  id: 'ovn-eips-by-address',
  kinds: ['OvnEip'],
  keys: (eip) => {
    const { spec, status } = eip.object;
    return ['', 'nat'].includes(status?.type || spec?.type || '') ? addressesOfOvnEip(eip) : [];
  },
});
