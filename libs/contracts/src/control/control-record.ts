import type { NewRecord } from '@ovn-steward/shared/log/log';
import { type Control, controlKey } from './control';

/** A decision as it is told on the control topic. */
export const controlRecord = (control: Control): NewRecord => ({
  key: controlKey(control),
  value: JSON.stringify(control),
  headers: { id: control.id },
  timestamp: Date.now(),
});
