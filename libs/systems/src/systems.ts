import type { Kubernetes } from './kubernetes/kubernetes';
import type { Northbound } from './northbound/northbound';

/** The living systems an executor reads and changes: one cluster's. */
export interface Systems {
  readonly northbound: Northbound;
  readonly kubernetes: Kubernetes;
}
