import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { CLUSTER, NOW } from './findings';

type Reported = Control extends infer C
  ? C extends Control
    ? Omit<C, 'version' | 'cluster' | 'by' | 'at' | 'id'> &
        Partial<Pick<C, 'cluster' | 'by' | 'at' | 'id'>>
    : never
  : never;

let made = 0;

/** A decision of anna's about the cluster of the tests. */
export const decision = (reported: Reported): Control =>
  ({
    version: 1,
    id: `c-${(made += 1)}`,
    cluster: CLUSTER,
    by: 'anna',
    at: NOW.toISOString(),
    ...reported,
  }) as Control;

/** As a command appends it. */
export const controlEntry = (control: Control): NewRecord => encodeControl(control, NOW.getTime());
