import { randomUUID } from 'node:crypto';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Channel } from './decisions';

/** What every decision begins with: a new id, the cluster, who decides and when. */
export const newDecision = (
  { cluster, by }: Pick<Channel, 'cluster' | 'by'>,
  now = new Date(),
): Pick<Control, 'version' | 'id' | 'cluster' | 'by' | 'at'> => ({
  version: 1,
  id: randomUUID(),
  cluster,
  by,
  at: now.toISOString(),
});
