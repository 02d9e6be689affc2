import { blockText, tryParseCidr } from '../kube-ovn/cidr';
import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { present, unclaimed, value } from '../rule-kit/facts';
import type { Entity } from '../world/entity';

/**
 * Of Kube-OVN's policies for highly available NAT gateways (`NatGatewayPolicyPriority`,
 * `NatGatewayDropPolicyPriority`).
 */
const TO_GATEWAY = 29_200;
const DROP = 29_190;

/**
 * A ready NAT gateway of several replicas without a router policy for one of its internal networks.
 *
 * Such a gateway runs as a Deployment, in v1.17-dev only, and Kube-OVN sends the networks of its
 * spec to its pods by policies with its key, in the family of the pods' addresses; with BFD a
 * second one for each drops what no living pod takes (pkg/controller/vpc_gateway_common.go). The
 * reconcile of a custom Vpc removes them, as they are not in its spec, and does not call that of
 * the gateway (kube-ovn.md §5, row 9).
 */
export default defineRule({
  id: 'vpc-nat-gateway-policy-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'VpcNatGateway',
  reads: ['Subnet', ...GATEWAY_TABLES],
  about:
    'A highly available VpcNatGateway that is ready, and no router policy sends one of its internal networks to it: that network cannot leave the VPC, or leaves it another way. An edit of its spec or a restart of the controller creates the policies again; each change of its Vpc removes them, in the releases that do.',

  check(gateway, view) {
    const { metadata, spec, status } = gateway.object;
    const isServed =
      metadata.deletionTimestamp === undefined &&
      status?.ready === true &&
      (spec?.replicas ?? 1) > 1 &&
      status.workload?.kind === 'Deployment';
    const lan = isServed ? view.get('Subnet', spec?.subnet ?? '') : undefined;
    const family = lan && familyOf(lan);
    if (family === undefined) return healthy;
    const there = new Set(
      view
        .related(rowsByGateway, `vpc-nat-gateway ${gateway.name}`)
        .filter((it): it is Entity<'Logical_Router_Policy'> => it.kind === 'Logical_Router_Policy')
        .map(({ object }) => `${object.priority ?? 0} ${spelled(object.match ?? '')}`),
    );
    const priorities = spec?.bfd?.enabled === true ? [TO_GATEWAY, DROP] : [TO_GATEWAY];
    const missing = networksOf(gateway, family, view)
      .flatMap((block) => priorities.map((it) => `${it} ip${family}.src == ${block}`))
      .filter((it) => !there.has(it));
    return violation(
      ...missing.map((rule) => ({
        summary: `VpcNatGateway ${gateway.name} is ready, and one of its router policies is missing: ${rule}`,
        part: { column: 'Logical_Router_Policy', key: rule },
        concerns: [lan!],
        proof: [
          present(gateway),
          value(gateway, 'status.ready', 'true'),
          value(gateway, 'spec.replicas', String(spec?.replicas)),
          unclaimed(
            'Logical_Router_Policy',
            'external_ids[vpc-nat-gateway], priority and match',
            `${gateway.name} ${rule}`,
          ),
        ],
      })),
    );
  },
});

const blocksOf = (subnet: Entity<'Subnet'> | undefined): readonly string[] =>
  subnet && subnet.object.metadata.deletionTimestamp === undefined
    ? (subnet.object.spec?.cidrBlock ?? '').split(',')
    : [];

/** Of its pods' addresses: of each pod one counts, the IPv4 address if it has one. */
function familyOf(lan: Entity<'Subnet'>): number | undefined {
  const families = blocksOf(lan).map((it) => tryParseCidr(it)?.range.family);
  return families.includes(4) ? 4 : families[0];
}

/** Its internal networks of that family, each once, in one spelling. */
function networksOf(
  { object: { spec } }: Entity<'VpcNatGateway'>,
  family: number,
  view: View<'Subnet'>,
): readonly string[] {
  const all = [
    ...(spec?.internalSubnets ?? []).flatMap((it) => blocksOf(view.get('Subnet', it))),
    ...(spec?.internalCIDRs ?? []),
  ];
  return [...new Set(all.filter((it) => tryParseCidr(it)?.range.family === family).map(blockText))];
}

const ONE_BLOCK = /^(ip[46]\.src == )(\S+)$/;

const spelled = (match: string): string =>
  match.replace(ONE_BLOCK, (_, before: string, block: string) => before + blockText(block));
