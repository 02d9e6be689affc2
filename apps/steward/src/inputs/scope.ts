import type { Command } from 'commander';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import type { Scope } from '@ovn-steward/contracts/control/control';

export interface ScopeOptions {
  readonly rule?: string;
  readonly vpc?: string;
  readonly subnet?: string;
}

/** The options that say what a hold is about. */
export const withScope = (command: Command): Command =>
  command
    .option('--rule <id>', 'only what this rule finds')
    .option('--vpc <name>', 'only what is in this VPC')
    .option('--subnet <name>', 'only what is in this subnet');

/**
 * @throws Failure `config-invalid` for a rule there is not: a hold with a slip in it would hold
 *   nothing.
 */
export function scopeFromOptions({ rule, vpc, subnet }: ScopeOptions): Scope {
  if (rule !== undefined) requireRule(rule);
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(vpc === undefined ? {} : { vpc }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}
