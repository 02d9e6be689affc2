import {
  readControl as readRecord,
  type ReadControl,
} from '@ovn-steward/contracts/control/read-control';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { planOfControl } from '../plan/plan';

/** Reads one record of what people decide, and the plan in it. Never throws. */
export function readControlAndPlan(
  record: Pick<LogRecord, 'key' | 'value' | 'origin'>,
): ReadControl {
  const read = readRecord(record);
  const plan =
    'control' in read && read.control.type === 'plan' ? planOfControl(read.control) : undefined;
  return typeof plan === 'string' ? { poison: plan } : read;
}
