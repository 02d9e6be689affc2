import { defineRelation } from '../world/relation';

/**
 * Subnets by the name of the NetworkAttachmentDefinition that their provider names, whatever its
 * namespace (kube-ovn.md §2).
 */
export const subnetsByNetwork = defineRelation({
  id: 'subnets-by-network',
  kinds: ['Subnet'],
  keys: ({ object: { spec } }) => {
    const [network = '', namespace] = (spec?.provider ?? '').split('.');
    return network === '' || namespace === undefined ? [] : [network];
  },
});
