import { describeEntity } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import type { View } from './view';

/**
 * A row that holds this one or refers to it, as it is called; the first in a fixed order, undefined
 * when nobody does.
 */
export const userOf = (row: Entity, view: View<never>): string | undefined =>
  [
    ...parentsOf(row).map(({ kind, uid }) => `${kind} ${uid}`),
    ...view.referrers(row).map(describeEntity),
  ].sort()[0];
