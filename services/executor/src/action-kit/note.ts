import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { Note } from './action';

/** What the database keeps beside the transaction: `ovsdb-tool show-log` tells years later who removed a row, and why. */
export const noteOperation = (what: string, { action, rule, finding }: Note): Operation =>
  operation.comment(`ovn-steward: ${what}; action ${action}, rule ${rule}, finding ${finding}`);
