import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedObjects } from './recorded-engine';
import {
  type RecordedName,
  recordedNorthbound,
} from '@ovn-steward/systems/testing/recorded-northbound';

/** The systems of a recording, alive in memory. */
export async function recordedSystems(
  name: RecordedName,
): Promise<{ readonly northbound: MemoryNorthbound; readonly kubernetes: MemoryKubernetes }> {
  const kubernetes = memoryKubernetes();
  for (const it of recordedObjects(name))
    kubernetes.put(it as Parameters<typeof kubernetes.put>[0]);
  return { northbound: await recordedNorthbound(name), kubernetes };
}
