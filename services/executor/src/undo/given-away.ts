import type { DatabaseSchema, Json, Operation } from '@ovn-steward/ovsdb';
import type { Systems } from '@ovn-steward/systems/systems';
import { natAddressTaken } from './nat-address-taken';
import { findVipTakers, vipsOf } from './vips-taken';
import type { StoredRows } from './rows-present';

/** Addresses of balancers and NATs, which no index keeps apart. */
export async function givenAway(
  { rows, links }: StoredRows,
  schema: DatabaseSchema,
  systems: Systems,
  signal: AbortSignal,
): Promise<{ readonly taken: string } | { readonly guards: readonly Operation[] }> {
  const guards: Operation[] = [];
  for (const row of rows) {
    const seen =
      row.table === 'NAT'
        ? await natAddressTaken(row, links, systems, signal)
        : row.table === 'Load_Balancer'
          ? await findVipTakers(
              systems.northbound,
              schema,
              {
                balancer: row.uuid,
                vips: vipsOf(row.columns['vips'] as Json | undefined),
                protocol: row.columns['protocol'] as Json | undefined,
              },
              links.filter(({ to, column }) => to.uuid === row.uuid && column === 'load_balancer'),
              signal,
            )
          : { guards: [] };
    if ('taken' in seen) return seen;
    guards.push(...seen.guards);
  }
  return { guards };
}
