import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonRow } from '@ovn-steward/ovsdb';
import type { Northbound } from './northbound';

/** A row that Neutron recreated under another uuid. */
export interface Remade {
  readonly table: string;
  readonly was: string;
  readonly is: string;
}

interface Recorded extends Remade {
  readonly row: JsonRow;
}

/**
 * What the maintenance of Neutron 21 (Zed) wrote 126 s after its switches and routers were gone, as
 * it was recorded: three switches and a router under new uuids, with few of their ports and rules,
 * and in no port group.
 */
export async function maintenanceOfNeutron(nb: Northbound): Promise<readonly Remade[]> {
  const file = join(__dirname, '..', 'captures', 'neutron-maintenance.json');
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
  await nb.insert(rows.map(({ table, is, row }) => ({ table, uuid: is, columns: row })));
  return rows;
}

/** The text of a row as it would be had what it refers to been recreated. */
export const standing = (text: string, anew: ReadonlyMap<string, string>): string =>
  JSON.stringify(
    JSON.parse(text, (_, value: unknown) => {
      if (Array.isArray(value)) return (value as unknown[]).toSorted();
      return typeof value === 'string' ? (anew.get(value) ?? value) : value;
    }),
  );

/** Whether a row refers to all that another refers to, and has all its keys. */
export function holdsAll(wanted: string, has: string): boolean {
  const [one, other] = [wanted, has].map((it) => JSON.parse(it) as Record<string, unknown>);
  return Object.entries(one!).every(([column, value]) => {
    const now = other![column];
    if (Array.isArray(value))
      return Array.isArray(now) && value.every((it) => (now as unknown[]).includes(it));
    return typeof value === 'object' && value !== null
      ? Object.keys(value).every((key) => key in (now as object))
      : true;
  });
}
