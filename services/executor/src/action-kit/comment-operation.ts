import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { EffectComment } from './action';

/**
 * The database keeps it beside the transaction: years later `ovsdb-tool show-log` still shows which
 * action removed a row, and why.
 */
export const commentOperation = (
  what: string,
  { action, rule, finding }: EffectComment,
): Operation =>
  operation.comment(`ovn-steward: ${what}; action ${action}, rule ${rule}, finding ${finding}`);
