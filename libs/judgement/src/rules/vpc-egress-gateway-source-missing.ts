import { blockText, tryParseCidr } from '../kube-ovn/cidr';
import { type IpFamily, tryParseIp } from '@ovn-steward/shared/address';
import { GATEWAY_TABLES } from '../relations/rows-by-gateway';
import { servedGateway } from '../rule-kit/egress-gateway';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { absentRow, present, unclaimed, value } from '../rule-kit/facts';
import { type Entity, keyOf } from '../world/entity';

/**
 * A network that a ready VPC egress gateway is for, and that is not in the address set which its
 * router policies match.
 *
 * Kube-OVN writes the blocks and the CIDRs of the subnets of `policies` into the set each time it
 * handles the gateway, and does not handle it when a subnet is created again with another CIDR
 * (pkg/controller/vpc_egress_gateway.go; kube-ovn.md §5, row 72; #6100).
 */
export default defineRule({
  id: 'vpc-egress-gateway-source-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'VpcEgressGateway',
  reads: ['Subnet', ...GATEWAY_TABLES],
  about:
    'A network that a ready VpcEgressGateway is for and that the address set of its router policies lacks: its traffic leaves the VPC another way. Any change of the object, such as an annotation, writes the set again. A restart of the controller need not, and up to v1.15.16 and in v1.16.0 to v1.16.2 it deletes the port group of its pods.',

  check(gateway, view) {
    const served = servedGateway(gateway, view);
    if (!served) return healthy;
    return violation(
      ...served.families.flatMap((family) => {
        const name = served.sourcesSet(family);
        const user = served.policies.find(({ object }) => isFor(object.match, name));
        const set = view.get('Address_Set', name);
        if (!user || (!set && view.presence('Address_Set', name) !== 'absent')) return [];
        const there = new Set((set?.object.addresses ?? []).map(blockText));
        const missing = sourcesOf(gateway, family, view).filter((it) => !there.has(it.block));
        return missing.map(({ block, subnet }) => ({
          summary: `VpcEgressGateway ${keyOf(gateway)} is for ${subnet ? `subnet ${subnet.name}, ` : ''}${block}, and address set ${name} of its router policies ${set ? 'does not have it' : 'does not exist'}`,
          part: { column: 'spec.policies', key: block },
          concerns: [...(set ? [set] : []), ...(subnet ? [subnet] : [])],
          proof: [
            present(gateway),
            value(gateway, 'status.ready', 'true'),
            value(user, 'match', user.object.match ?? ''),
            ...(subnet ? [value(subnet, 'spec.cidrBlock', subnet.object.spec!.cidrBlock!)] : []),
            set
              ? unclaimed('Address_Set', 'name and addresses', `${name} ${block}`)
              : absentRow('Address_Set', name),
          ],
        }));
      }),
    );
  },
});

const isFor = (match: string | undefined, set: string): boolean =>
  (match ?? '').endsWith(`.src == $${set}`);

interface Source {
  readonly block: string;
  readonly subnet?: Entity<'Subnet'>;
}

/**
 * The networks of its `policies` of that family, each once, in one spelling; of subnets that are
 * there and are not being deleted.
 */
function sourcesOf(
  gateway: Entity<'VpcEgressGateway'>,
  family: IpFamily,
  view: View<'Subnet'>,
): readonly Source[] {
  const all = (gateway.object.spec?.policies ?? []).flatMap(({ ipBlocks = [], subnets = [] }) => [
    ...ipBlocks.map((block): Source => ({ block })),
    ...subnets.flatMap((name): Source[] => {
      const subnet = view.get('Subnet', name);
      if (!subnet || subnet.object.metadata.deletionTimestamp !== undefined) return [];
      return (subnet.object.spec?.cidrBlock ?? '').split(',').map((block) => ({ block, subnet }));
    }),
  ]);
  const ofFamily = all
    .filter(({ block }) => familyOf(block) === family)
    .map((it) => [blockText(it.block), { ...it, block: blockText(it.block) }] as const);
  return [...new Map(ofFamily).values()];
}

const familyOf = (block: string): number | undefined =>
  tryParseIp(block)?.family ?? tryParseCidr(block)?.range.family;
