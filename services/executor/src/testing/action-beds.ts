import type { Operation } from '@ovn-steward/ovsdb';
import type { ActionBed, ActionBench } from './running-action';
import { memoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Plant } from './plants';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';

/**
 * A plant beside the rows of a Northbound that Kube-OVN and Neutron share, in memory.
 */
export const inMemory = (plant: Plant): ActionBench => ({
  plant,
  async start(schema): Promise<ActionBed> {
    const northbound = schema
      ? memoryNorthbound({ schema })
      : await recordedNorthbound('shared-neutron');
    return {
      northbound,
      async peer(operations: readonly Operation[]) {
        const result = northbound.database.transact(operations);
        if (!result.ok)
          throw new Error(`${result.error.error} at ${result.error.at}: ${result.error.details}`);
      },
      loseReply() {
        northbound.database.fault = () => {
          northbound.database.fault = undefined;
          return 'lose-reply';
        };
      },
      close: () => northbound.close(),
    };
  },
});
