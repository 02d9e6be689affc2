import type { Command } from 'commander';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { Failure } from '@ovn-steward/shared/errors';
import type { Scope } from '@ovn-steward/shared/events/control';
import { nearest } from '@ovn-steward/shared/nearest';

export interface ScopeOptions {
  readonly rule?: string;
  readonly vpc?: string;
  readonly subnet?: string;
}

/** The options that say what a hold is about. */
export const withScope = (command: Command): Command =>
  command
    .option('--rule <id>', 'only what this rule finds')
    .option('--vpc <name>', 'only what lies in this VPC')
    .option('--subnet <name>', 'only what lies in this subnet');

/** @throws Failure `config-invalid` for a rule there is not: a hold with a slip in it would hold nothing. */
export function scopeOf({ rule, vpc, subnet }: ScopeOptions): Scope {
  if (rule !== undefined) requireRule(rule);
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(vpc === undefined ? {} : { vpc }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

/** @throws Failure `config-invalid`. */
export function requireRule(rule: string): void {
  const known = RULES.map(({ id }) => id);
  if (known.includes(rule)) return;
  const meant = nearest(rule, known);
  throw new Failure(
    'config-invalid',
    `There is no rule ${JSON.stringify(rule)}; ${meant === undefined ? 'docs/rules.md lists them' : `did you mean ${meant}?`}`,
  );
}
