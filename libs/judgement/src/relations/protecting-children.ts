import { evidenceInFold, protects } from '../ownership/local-evidence';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * By parent: the strong children that are foreign or unknown by their own evidence, and so protect
 * whatever holds them.
 */
export const protectingChildren = defineRelation({
  id: 'protecting-children',
  kinds: 'ovn-nb',
  keys: (row) => (protects(evidenceInFold(row), row) ? parentsOf(row).map((it) => it.uid) : []),
});
