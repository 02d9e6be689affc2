import { defineRelation } from '../world/relation';

/** Address pools by the subnet that they are part of. */
export const poolsBySubnet = defineRelation({
  id: 'pools-by-subnet',
  kinds: ['IPPool'],
  keys: ({ object: { spec } }) => {
    const subnet = spec?.['subnet'];
    return typeof subnet === 'string' && subnet !== '' ? [subnet] : [];
  },
});
