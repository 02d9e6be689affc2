import { join } from 'node:path';
import { type DatabaseFile, readDatabaseFile } from '@ovn-steward/ovsdb';
import { type MemoryNorthbound, memoryNorthbound } from './memory-northbound';

export type RecordedName = 'leaky' | 'clean' | 'shared-neutron';

/** The file of a recorded Northbound. */
export const recordedFile = (name: RecordedName): string =>
  join(__dirname, '../../../../examples/recordings', name, 'nb.db');

const read = new Map<RecordedName, Promise<DatabaseFile>>();

/** What a recorded Northbound holds, read once. It is everybody's: nothing may change it. */
export function recordedDatabase(name: RecordedName): Promise<DatabaseFile> {
  const known = read.get(name) ?? readDatabaseFile(recordedFile(name));
  read.set(name, known);
  return known;
}

/** A Northbound in memory with the rows of a recording. */
export async function recordedNorthbound(name: RecordedName): Promise<MemoryNorthbound> {
  const database = await recordedDatabase(name);
  const northbound = memoryNorthbound({ schema: database.schema });
  northbound.database.load(database);
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
