import { canonicalJson } from '@ovn-steward/shared/canonical-json';

/**
 * Whether two JSON values say the same, whatever the order of their keys; undefined is only itself.
 */
export const sameJson = (one: unknown, other: unknown): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));
