import { isWantedAcl, desiredAcls } from '../kube-ovn/subnet-acls';
import { aclsByHolder } from '../relations/acls-by-holder';
import { ANYWHERE, policiesByNamespace } from '../relations/policies-by-namespace';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unclaimed, value } from '../rule-kit/facts';

const PRIORITY = 2001;
const ONE_ADDRESS = /^ip[46]\.(?:src|dst) == ([0-9a-fA-F.:]+)$/;

/**
 * An ACL that lets a subnet's gateway through on its switch, in a cluster without any network
 * policy.
 *
 * Releases v1.11.2 to v1.11.8 put a pair of them on each switch, for policies that might come
 * (kube-ovn.md row 70b, #2712). They have no keys, and later releases take only those off a switch
 * that carry its name. Any ACL on a switch makes OVN track the connections of all of its ports. A
 * Subnet may request the same in `spec.acls`. On a switch that drops anything, as that of a private
 * Subnet, it may be what lets the gateway in (`SetLogicalSwitchPrivate`, v1.12 to v1.17).
 */
export default defineRule({
  id: 'gateway-acl-without-policy',
  class: 'drift',
  severity: 'info',
  subject: 'ACL',
  reads: ['NetworkPolicy', 'Subnet', 'Logical_Switch'],
  about:
    'A switch lets its gateway through by an ACL as old releases of Kube-OVN wrote them, though no NetworkPolicy could drop it: it has no effect except cost. Delete it by hand; an edit of the Subnet removes only one that carries the key parent.',

  check(acl, view) {
    const { priority, match = '', direction = '', action = '' } = acl.object;
    const address = priority === PRIORITY ? ONE_ADDRESS.exec(match)?.[1] : undefined;
    if (address === undefined || !action.startsWith('allow')) return healthy;
    const holder = view.identity('Logical_Switch', parentsOf(acl)[0]?.uid ?? '');
    const subnet = view.get('Subnet', holder?.name ?? '');
    if (!subnet || isBeingDeleted(subnet)) return healthy;
    const gateway = subnet.object.spec?.gateway ?? '';
    if (
      !gateway.split(',').includes(address) ||
      desiredAcls(subnet).some((it) => isWantedAcl(acl, it)) ||
      view.related(aclsByHolder, holder!.uid).some(drops) ||
      view.has(policiesByNamespace, ANYWHERE)
    )
      return healthy;
    return violation({
      summary: `switch ${subnet.name} lets its gateway ${address} through (${direction} ${PRIORITY} ${match}), and there is no NetworkPolicy`,
      owner: view.ownership(acl),
      concerns: [subnet],
      proof: [
        present(subnet),
        value(subnet, 'spec.gateway', gateway),
        value(acl, 'match', match),
        unclaimed('NetworkPolicy', 'metadata.namespace', 'any'),
      ],
    });
  },
});

const drops = ({ object: { action } }: Entity<'ACL'>): boolean =>
  action === 'drop' || action === 'reject';
