import { createHash } from 'node:crypto';
import type { Finding } from '@ovn-steward/contracts/findings/finding';

/**
 * The group a finding is notified with: findings of one cause, or, where the cause is not known, of
 * one rule in one subnet, else VPC. sha256 in hex, so that hostile names neither collide nor travel
 * in headers.
 */
export function groupOf({ cluster, rule, cause, scope }: Finding): string {
  const parts =
    cause === undefined
      ? ['rule', rule, scope?.subnet ?? '', scope?.subnet === undefined ? (scope?.vpc ?? '') : '']
      : ['cause', cause.kind, cause.key];
  return createHash('sha256')
    .update(JSON.stringify([cluster, ...parts]))
    .digest('hex');
}
