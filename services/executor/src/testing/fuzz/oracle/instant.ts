import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';

export type Row = Readonly<Record<string, unknown>>;

/** All there is, at one instant. */
export interface Instant {
  readonly northbound: Pick<MemoryNorthbound, 'database'>;
  readonly kubernetes: Pick<MemoryKubernetes, 'objects'>;
}
