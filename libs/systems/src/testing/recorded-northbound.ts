import { join } from 'node:path';
import { readDatabaseFile } from '@ovn-steward/ovsdb';
import { type MemoryNorthbound, memoryNorthbound } from './memory-northbound';

export type RecordedName = 'leaky' | 'clean' | 'shared-neutron';

/** The file of a recorded Northbound. */
export const recordedFile = (name: RecordedName): string =>
  join(__dirname, '../../../../examples/recordings', name, 'nb.db');

/** A Northbound in memory with the rows of a recording. */
export async function recordedNorthbound(name: RecordedName): Promise<MemoryNorthbound> {
  const northbound = memoryNorthbound({
    schema: (await readDatabaseFile(recordedFile(name))).schema,
  });
  await northbound.database.load(recordedFile(name));
  return northbound;
}

/** Every row of every table, to be compared with what it becomes. */
export const contentOf = ({
  database,
}: MemoryNorthbound): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    [...database.schema.tables.keys()].map((table) => [
      table,
      Object.fromEntries(database.rows(table)),
    ]),
  );
