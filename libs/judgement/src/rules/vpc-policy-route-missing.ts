import { routerPoliciesByRule } from '../relations/router-policies-by-rule';
import { routersOf } from '../rule-kit/handled-vpc';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';

/**
 * A policy route in the spec of a Vpc that its router does not have.
 *
 * Kube-OVN takes a policy for the one of the spec by its priority and match, in all releases. On a
 * custom VPC's router it adds what is missing each time it handles the Vpc; on that of the default
 * VPC it compares the spec with what it last saw of it, so there a policy that is lost stays lost
 * until a restart (pkg/controller/vpc.go; kube-ovn.md §5, row 9). A Vpc that is not in `standby`
 * has not been handled yet.
 */
export default defineRule({
  id: 'vpc-policy-route-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'Vpc',
  reads: ['Logical_Router', 'Logical_Router_Policy'],
  about:
    "A policyRoute in a Vpc's spec that its router does not have: the traffic it is for takes another route, or is allowed or dropped against the spec. A restart of the controller adds it again; on a custom VPC an edit of the spec does, too.",

  check(vpc, view) {
    const routes = vpc.object.spec?.policyRoutes ?? [];
    const routers = routes.length === 0 ? [] : routersOf(vpc, view);
    if (routers.length === 0) return healthy;
    const missing = new Map(
      routes.flatMap(({ priority, match, action }) =>
        typeof priority === 'number' &&
        typeof match === 'string' &&
        !routers.some(({ uid }) => view.has(routerPoliciesByRule, `${uid} ${priority} ${match}`))
          ? [[`${priority} ${match}`, String(action)] as const]
          : [],
      ),
    );
    const { name } = routers[0]!;
    return violation(
      ...[...missing].map(([rule, action]) => ({
        summary: `Vpc ${vpc.name} asks for a policy route that router ${name} does not have: ${rule} (${action})`,
        part: { column: 'spec.policyRoutes', key: rule },
        proof: [
          present(vpc),
          value(vpc, 'status.router', name),
          unclaimed('Logical_Router_Policy', 'router, priority and match', `${name} ${rule}`),
        ],
      })),
    );
  },
});
