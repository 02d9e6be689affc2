import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { EffectComment } from './action';

/** What the database keeps beside the transaction: `ovsdb-tool show-log` tells years later who removed a row, and why. */
export const commentOperation = (
  what: string,
  { action, rule, finding }: EffectComment,
): Operation =>
  operation.comment(`ovn-steward: ${what}; action ${action}, rule ${rule}, finding ${finding}`);
