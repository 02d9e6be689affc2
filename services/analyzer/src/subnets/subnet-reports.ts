import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { type Exhaustion, exhaustionOf } from '@ovn-steward/judgement/health/exhaustion';
import {
  type FamilyHealth,
  type SubnetHealth,
  subnetsHealth,
} from '@ovn-steward/judgement/health/subnet-health';
import type { Engine } from '@ovn-steward/judgement/engine/engine';

/** Counts as decimal text: an IPv6 subnet has more addresses than a JSON number can say. */
export type AsText<T> = {
  readonly [K in keyof T]: T[K] extends bigint | null ? string | null : T[K];
};

/** What `steward subnets` reports of one subnet. */
export interface SubnetReport extends Omit<SubnetHealth, 'addresses'> {
  readonly addresses: readonly AsText<FamilyHealth>[];
  readonly exhaustion: Exhaustion;
  /** Open findings about it and about what lies in it. */
  readonly findings: readonly Pick<
    Finding,
    'id' | 'rule' | 'class' | 'severity' | 'state' | 'firstSeen' | 'summary'
  >[];
}

/** Every subnet the engine's world holds, by name. */
export function subnetReports(engine: Pick<Engine, 'world' | 'now' | 'findings'>): SubnetReport[] {
  const findings = bySubnet(engine.findings());
  return subnetsHealth(engine.world).map((subnet) => ({
    ...subnet,
    addresses: subnet.addresses.map(({ family, ...counts }) => ({
      family,
      used: countText(counts.used),
      counted: countText(counts.counted),
      held: countText(counts.held),
      available: countText(counts.available),
      free: countText(counts.free),
    })),
    exhaustion: exhaustionOf(subnet, engine.world, engine.now),
    findings: (findings.get(subnet.name) ?? []).map(
      ({ id, rule, class: sort, severity, state, firstSeen, summary }) => ({
        id,
        rule,
        class: sort,
        severity,
        state,
        firstSeen,
        summary,
      }),
    ),
  }));
}

function bySubnet(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = finding.scope?.subnet;
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(finding);
    else groups.set(name, [finding]);
  }
  return groups;
}

/** As decimal text. */
export const countText = (count: bigint | null): string | null =>
  count === null ? null : String(count);
