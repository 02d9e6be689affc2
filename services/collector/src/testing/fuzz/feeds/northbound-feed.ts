import { Replica, type RowChange } from '@ovn-steward/ovsdb';
import type { JsonColumns, MemoryDatabase } from '@ovn-steward/ovsdb/testing/memory-database';
import { kindsOf } from '@ovn-steward/systems/ovn/selection';
import { fullRead } from '../../../sources/ovn/full-read';
import { RowProjection } from '../../../sources/ovn/rows';
import type { Observation } from '../../../source-kit/source';
import type { Feed } from './feed';

type Shown = Map<string, Map<string, JsonColumns>>;

/**
 * The Northbound as its server reports it: rows in the JSON of a monitor, which a replica and the
 * collector's projection make observations of.
 */
export function northboundFeed(database: MemoryDatabase): Feed {
  const kinds = kindsOf('ovn-nb', database.schema);
  const shown: Shown = new Map(kinds.map((it) => [it, new Map()]));
  let replica = new Replica(database.schema);
  let projection: RowProjection | undefined;
  const update = (): RowChange[] => {
    const news = newsOf(database, shown);
    return news === undefined ? [] : replica.applyUpdate1(news);
  };
  return {
    name: 'ovn-nb',
    owner: { id: 'ovn-nb', source: 'ovn-nb' },
    kinds,
    *read(now) {
      for (const rows of shown.values()) rows.clear();
      replica = new Replica(database.schema);
      update();
      const held = replica;
      projection = new RowProjection('ovn-nb', (table, uuid) => held.get(table, uuid));
      const through = new Date(now).toISOString();
      const rowsOf = (
        kind: string,
      ): Iterable<ReturnType<typeof held.rows> extends Iterable<infer R> ? R : never> =>
        held.rows(kind);
      for (const batch of fullRead({
        stream: 'ovn-nb',
        kinds,
        projection,
        rowsOf,
        cursor: '',
        through,
      }))
        yield* batch;
    },
    *news(now): Generator<Observation> {
      yield* projection?.update(update()) ?? [];
      yield {
        type: 'progress',
        stream: 'ovn-nb',
        cursor: '',
        through: new Date(now).toISOString(),
      };
    },
  };
}

/** What the server would send (RFC 7047 section 4.1.6); undefined for nothing. */
function newsOf(database: MemoryDatabase, shown: Shown): object | undefined {
  let news: Record<string, Record<string, unknown>> | undefined;
  for (const [table, before] of shown) {
    const rows = database.rows(table);
    let ofTable: Record<string, unknown> | undefined;
    for (const [uuid, row] of rows) {
      const old = before.get(uuid);
      if (old === row) continue;
      (ofTable ??= {})[uuid] = old === undefined ? { new: row } : { old, new: row };
      before.set(uuid, row);
    }
    if (before.size > rows.size)
      for (const [uuid, old] of before)
        if (!rows.has(uuid)) {
          (ofTable ??= {})[uuid] = { old };
          before.delete(uuid);
        }
    if (ofTable !== undefined) (news ??= {})[table] = ofTable;
  }
  return news;
}
