import { gatewaysOf } from '../rule-kit/router-policies';
import { defineRule, healthy, type Violation, violation } from '../rule-kit/rule';
import { absent, present, value } from '../rule-kit/facts';

/**
 * A policy that sends a subnet's traffic to several gateways, one of which is a node that does not
 * exist.
 *
 * Each gateway is a key named after its node, with the node's address. The controller goes through
 * the nodes it knows, so a deleted one stays among the next hops until the Subnet is reconciled,
 * and then is removed only if another of its gateway nodes is ready (kube-ovn.md §3.3, §4.1,
 * row 48). The deletion of a node that the controller sees takes it out at once.
 */
export default defineRule({
  id: 'gateway-node-missing',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Router_Policy',
  reads: ['Node', 'Subnet'],
  about:
    "A subnet's traffic is sent to several gateways, and the node of one does not exist: traffic to it is lost. A restart of the controller removes it if another gateway node of the Subnet is ready; otherwise give the Subnet gateway nodes that exist.",

  check(policy, view) {
    const gateways = gatewaysOf(policy);
    const gone = [...gateways].filter(([node]) => view.presence('Node', node) === 'absent');
    const subnet = policy.object.external_ids?.['subnet'] ?? '';
    if (gone.length === 0 || view.presence('Subnet', subnet) !== 'present') return healthy;
    const owner = view.ownership(policy);
    if (owner.owner !== 'kube-ovn') return healthy;
    const living = gateways.size - gone.length;
    return violation(
      ...gone.map(([node, address]): Violation => ({
        summary: `traffic of Subnet ${subnet} is sent to ${address} of Node ${node}, which does not exist, beside ${living === 0 ? 'no other gateway' : living === 1 ? 'one other' : `${living} others`}`,
        owner,
        part: { column: 'external_ids', key: node },
        proof: [
          absent('Node', node),
          value(policy, `external_ids[${node}]`, address),
          present(policy),
        ],
      })),
    );
  },
});
