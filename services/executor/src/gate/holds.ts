import { compareValues } from '@ovn-steward/shared/compare';
import type { HoldException } from '@ovn-steward/contracts/control/control';
import { noSuchRule } from '@ovn-steward/judgement/rule-named';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Hold } from '../control/control-state';

const RULE_IDS: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

/** When a hold is over; one that says nothing of it, or nothing that can be read, never is. */
export const holdEnd = ({ until }: Hold): number =>
  until === null || Number.isNaN(Date.parse(until)) ? Infinity : Date.parse(until);

/** A place the finding does not name may be the one that is held. */
const mayBe = (held: string | undefined, found: string | undefined): boolean =>
  held === undefined || found === undefined || held === found;

/**
 * The same of rules. An unknown name may be a typing error, or a rule of a later version: the
 * person meant to stop something, and unknown means keep.
 */
const mayBeRule = (held: string | undefined, found: string): boolean =>
  held === undefined || held === found || !RULE_IDS.has(held);

/**
 * The hold that keeps this from being done, the longest of several; undefined when there is none.
 * @param now milliseconds since 1970.
 * @param exception by which a hold may let it through; a removal has none.
 */
export function holdOn(
  { rule, scope }: Pick<Finding, 'rule' | 'scope'>,
  holds: Iterable<Hold>,
  now: number,
  exception?: HoldException,
): Hold | undefined {
  const holding = [...holds].filter(
    (hold) =>
      (exception === undefined || hold.except?.includes(exception) !== true) &&
      mayBeRule(hold.scope.rule, rule) &&
      mayBe(hold.scope.vpc, scope?.vpc) &&
      mayBe(hold.scope.subnet, scope?.subnet) &&
      now < holdEnd(hold),
  );
  return holding.sort((a, b) => holdEnd(b) - holdEnd(a) || compareValues(textOf(a), textOf(b)))[0];
}

const textOf = ({ scope, by, at, reason, until }: Hold): string =>
  JSON.stringify([scope.rule, scope.vpc, scope.subnet, by, at, reason, until]);

const SCOPES = [
  ['rule', 'rule'],
  ['VPC', 'vpc'],
  ['subnet', 'subnet'],
] as const;

/** The same in words. */
export function holdText(hold: Hold): string {
  const { scope, by, reason, until } = hold;
  const named =
    SCOPES.flatMap(([word, key]) =>
      scope[key] === undefined ? [] : [`${word} ${scope[key]}`],
    ).join(', ') || 'the whole cluster';
  const unknown = scope.rule === undefined ? undefined : noSuchRule(scope.rule);
  const all = unknown === undefined ? '' : `, and with it every rule, since ${unknown}`;
  return `${by} holds ${named}${all}${reason === '' ? '' : ` (${reason})`} until ${holdEnd(hold) === Infinity ? 'somebody resumes it with steward resume' : until}`;
}
