import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Operation, writeStandaloneFile } from '@ovn-steward/ovsdb';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import type { ActionBed, ActionBench } from './running-action';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { Plant } from './plants';
import { recordedFile } from '@ovn-steward/systems/testing/recorded-northbound';

/**
 * A plant beside the rows of a Northbound that Kube-OVN and Neutron share, on a real
 * ovsdb-server.
 */
export const onRealServer = (plant: Plant): ActionBench => ({
  plant,
  async start(schema): Promise<ActionBed> {
    const folder = mkdtempSync(join(tmpdir(), 'steward-actions-'));
    const database = schema ? join(folder, 'nb.db') : recordedFile('shared-neutron');
    if (schema) await writeStandaloneFile(database, schema.json, []);
    const server = await startOvnStandalone({ database });
    const session = await openDatabase({ remotes: server.remote, database: 'OVN_Northbound' });
    const northbound = liveNorthbound({ remotes: server.remote });
    return {
      northbound,
      async peer(operations: readonly Operation[]) {
        const result = await session.transact(operations);
        if (!result.ok)
          throw new Error(`${result.error.error} at ${result.error.at}: ${result.error.details}`);
      },
      async close() {
        session.close();
        await northbound.close();
        await server.stop();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
