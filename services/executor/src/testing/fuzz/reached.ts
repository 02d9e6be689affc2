import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { EXECUTOR_ACTIONS } from '../../actions/registry';
import type { Proposal } from '../../findings/proposal';

/**
 * How often a rule found something, each finding once, and how often the action it names was done
 * about that.
 */
interface Reach {
  found: number;
  removed: number;
}

/** By rule, of one action or another. */
export type Reached = Record<string, Reach>;

export interface ReachCounter {
  found(finding: Proposal): void;
  removed(action: ActionRecord | undefined): void;
  readonly reached: Reached;
}

/** Counts what the rules truly found; lies are not counted. */
export function countReached(): ReachCounter {
  const reached: Reached = {};
  const seen = new Set<string>();
  const of = (rule: string): Reach => (reached[rule] ??= { found: 0, removed: 0 });
  return {
    reached,
    found({ id, revision, rule }) {
      if (seen.has(`${id} ${revision}`)) return;
      seen.add(`${id} ${revision}`);
      of(rule).found += 1;
    },
    removed: (action) => void (action && (of(action.rule).removed += 1)),
  };
}

export function addReached(total: Reached, more: Reached): void {
  for (const [rule, { found, removed }] of Object.entries(more)) {
    const of = (total[rule] ??= { found: 0, removed: 0 });
    of.found += found;
    of.removed += removed;
  }
}

const UNPROPOSED = 'no rule proposes it';
const INSTALLED = 'the drawn clusters keep their Vpc and their Subnets';
const PORTS_UP = 'chassis hold ports of the drawn clusters up';
const OTHER_KIND = 'no object of that kind is drawn: the same action is done about others';
/** Rules that have an action and find nothing in the drawn clusters, and why. */
const NOT_DRAWN: Readonly<Record<string, string>> = {
  'orphaned-logical-router': PORTS_UP,
  'orphaned-logical-switch': PORTS_UP,
  'uninstalled-address-set': INSTALLED,
  'uninstalled-ha-chassis-group': INSTALLED,
  'uninstalled-load-balancer': INSTALLED,
  'uninstalled-port-group': INSTALLED,
  ...Object.fromEntries(
    [
      'iptables-dnat-rule',
      'iptables-eip',
      'iptables-fip-rule',
      'iptables-snat-rule',
      'ovn-dnat-rule',
      'ovn-fip',
      'ovn-snat-rule',
      'subnet',
      'vpc',
      'vpc-egress-gateway',
      'vpc-nat-gateway',
    ].map((it) => [`stuck-${it}-deletion`, OTHER_KIND]),
  ),
};

/** Of each action there is, what became of each rule that names it, or why it cannot be reached. */
export function actionsReached(
  reached: Reached,
): Readonly<Record<string, string | Readonly<Record<string, Reach | string>>>> {
  return Object.fromEntries(
    EXECUTOR_ACTIONS.map(({ id }) => {
      const rules = RULES.filter((it) => it.remedy === id);
      if (rules.length === 0) return [id, UNPROPOSED];
      return [
        id,
        Object.fromEntries(
          rules.map((rule) => [
            rule.id,
            reached[rule.id] ?? NOT_DRAWN[rule.id] ?? { found: 0, removed: 0 },
          ]),
        ),
      ];
    }),
  );
}
