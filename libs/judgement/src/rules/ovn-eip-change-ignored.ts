import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import { present, unchanged, value } from '../rule-kit/facts';
import { addressesOfOvnEip } from '../kube-ovn/external-addresses';
import type { OvnNatRuleKind } from '../rule-kit/ovn-eip-users';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';

/**
 * An OvnEip that a rule names which has the address of another one.
 *
 * The controller refuses to move a rule that is ready ("not support change eip"), and passes over it
 * at each start (`handleUpdateOvnFip` and `handleAddOvnFip` in pkg/controller/ovn_fip.go, and their
 * like for OvnSnatRule and OvnDnatRule, v1.13 to master; seen on v1.13.15). An OvnFip of v1.12 is
 * moved only when its target changes as well.
 */
export default defineRule({
  id: 'ovn-eip-change-ignored',
  class: 'drift',
  severity: 'warning',
  subject: 'OvnEip',
  reads: ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'],
  about:
    'An OvnEip that an OvnFip, OvnSnatRule or OvnDnatRule names by now, though that rule keeps the address of the one it named before: Kube-OVN moves no rule that is ready. The address of this OvnEip leads nowhere, and the other OvnEip cannot be deleted. A restart does not move the rule; delete it and make it again.',

  check(eip, view) {
    const addresses = addressesOfOvnEip(eip);
    if (isBeingDeleted(eip) || addresses.length === 0) return healthy;
    const kept = view
      .related(ovnNatRulesByEip, eip.name)
      .flatMap((rule) => formerOf(rule, eip.name, addresses))
      .sort(ascendingBy((it) => it.title));
    if (kept.length === 0) return healthy;
    return violation({
      summary: `OvnEip ${eip.name} has ${addresses.join(', ')}, and ${kept.map(({ title, former }) => `${title}, which names it, keeps ${former}`).join('; ')}`,
      concerns: kept.map(({ rule }) => rule as Entity),
      proof: [
        present(eip),
        ...kept.flatMap(({ rule, column, text }) => [
          value(rule, 'spec.ovnEip', eip.name),
          value(rule, column, text),
          unchanged(rule),
        ]),
      ],
    });
  },
});

/** A rule, with the address that it keeps, as its status has it. */
interface Kept {
  readonly rule: Entity<OvnNatRuleKind>;
  readonly title: string;
  readonly former: string;
  readonly column: `status.${'v4Eip' | 'v6Eip'}`;
  readonly text: string;
}

function formerOf(
  rule: Entity<OvnNatRuleKind>,
  eip: string,
  addresses: readonly string[],
): readonly Kept[] {
  const { spec, status } = rule.object;
  if (spec?.ovnEip !== eip || status?.ready !== true || isBeingDeleted(rule)) return [];
  const title = `${rule.kind} ${rule.name}`;
  return (['v4Eip', 'v6Eip'] as const).flatMap((name): Kept[] => {
    const address = tryParseIp(status[name] ?? '');
    if (!address || addresses.includes(formatIp(address))) return [];
    const former = formatIp(address);
    const column = `status.${name}` as const;
    return [{ rule, title, former, column, text: status[name]! }];
  });
}
