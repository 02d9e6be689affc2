import { addressSetsByPool } from '../relations/address-sets-by-pool';
import { vpcsByNamedSet } from '../relations/vpcs-by-named-set';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { type ProvenRemedy, stuckDeletion } from '../rule-kit/stuck-deletion';
import { defineRule } from '../rule-kit/rule';
import { unclaimed } from '../rule-kit/facts';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';

/**
 * A pool of addresses that is being deleted: its address set goes before its finalizer (kube-ovn.md
 * §1, §4.9). Addresses of it that are in use hold up nothing: they stay taken in its Subnet
 * (handleDeleteIPPool, pkg/controller/ippool.go, v1.15 to v1.17).
 */
export default defineRule({
  id: 'stuck-ip-pool-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IPPool',
  reads: ['Address_Set'],
  consults: [...CONTROLLER_KINDS, 'Vpc'],
  about:
    'A pool of addresses that does not finish its deletion: its address set has not been removed, or nothing handles it.',
  remedy: 'strip-finalizer',

  check(pool, view) {
    const sets = view.related(addressSetsByPool, pool.name);
    return stuckDeletion(
      pool,
      view,
      () => held('its address set has not been removed', sets),
      () => {
        if (sets.length === 0)
          return withoutFinalizer(
            pool,
            view,
            [unclaimed('Address_Set', 'external_ids[ippool]', pool.name)],
            'it holds no address itself',
          );
        return controllerIsGone(view) ? removingSet(sets, view) : undefined;
      },
    );
  },
});

/** A policy route of a user's may name the set: the executor refuses to remove it before that. */
function removingSet(
  sets: readonly Entity<'Address_Set'>[],
  view: View<'Vpc'>,
): ProvenRemedy | undefined {
  const removing = removingLeft(
    sets,
    view,
    controllerGone,
    'its IPPool is being deleted and no Kube-OVN controller is left to do it',
  );
  if (removing === undefined) return undefined;
  const remedy = removing.remedy;
  const set = removing.remedy.target.name ?? '';
  const vpcs = view.related(vpcsByNamedSet, set).map((it) => it.name);
  return vpcs.length === 0
    ? removing
    : {
        ...removing,
        remedy: {
          ...remedy,
          advice: `look first at spec.policyRoutes of Vpc ${vpcs.sort().join(', ')}, where a match names ${set}; then ${remedy.advice}`,
        },
      };
}
