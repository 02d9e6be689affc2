import { ascendingBy } from '@ovn-steward/shared/compare';
import { type JsonRow, operation, type Operation, type Session } from '@ovn-steward/ovsdb';

/** A row as the actor reads it: maps as records, sets as lists, references as uuids. */
export interface Row {
  readonly uuid: string;
  readonly name: string;
  /** `external_ids`. */
  readonly keys: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** What the actor does in the Northbound. */
export interface Northbound {
  rows(table: string): Promise<readonly Row[]>;
  /**
   * Every row of every table by uuid, its columns in one spelling; without `up`, which northd
   * writes by what runs.
   */
  picture(): Promise<
    ReadonlyMap<
      string,
      { readonly table: string; readonly text: string; readonly foreign: boolean }
    >
  >;
  /** Removes root rows, and what they hold. */
  remove(table: string, rows: readonly Row[]): Promise<void>;
  /** Takes rows out of the column of whoever holds them; the server then removes them. */
  release(holder: string, column: string, rows: readonly Row[]): Promise<void>;
  update(table: string, rows: readonly Row[], columns: JsonRow): Promise<void>;
  /** Makes rows under uuids that are given, all at once. */
  insert(
    rows: readonly { readonly table: string; readonly uuid: string; readonly columns: JsonRow }[],
  ): Promise<void>;
  nbctl(...words: string[]): Promise<string>;
}

export function northboundOf(
  session: Session,
  nbctl: (...words: string[]) => Promise<string>,
): Northbound {
  const transact = async (operations: readonly Operation[]): Promise<void> => {
    if (operations.length === 0) return;
    const done = await session.transact([...operations]);
    if (!done.ok) throw new Error(`the actor's transaction failed: ${JSON.stringify(done.error)}`);
  };
  const read = async (table: string): Promise<readonly Record<string, unknown>[]> => {
    const [found] = (await session.transact([operation.select(table, [])])).results;
    return found?.kind === 'selected' ? found.rows : [];
  };
  return {
    nbctl,
    rows: async (table) => (await read(table)).map(rowOf),
    async picture() {
      const picture = new Map<string, { table: string; text: string; foreign: boolean }>();
      for (const { name: table } of session.schema.tables.values()) {
        if (table === 'NB_Global' || table === 'Connection') continue;
        for (const row of (await read(table)).map(rowOf)) {
          const { _version, _uuid, up, ...columns } = row.columns;
          picture.set(row.uuid, {
            table,
            text: JSON.stringify(columns),
            foreign: row.keys['vendor'] !== 'kube-ovn',
          });
        }
      }
      return picture;
    },
    remove: (table, rows) =>
      transact(rows.map(({ uuid }) => operation.remove(table, operation.byUuid(uuid)))),
    release: (holder, column, rows) =>
      transact(
        rows.map(({ uuid }) =>
          operation.mutate(
            holder,
            [[column, 'includes', operation.uuid(uuid)]],
            [[column, 'delete', operation.uuid(uuid)]],
          ),
        ),
      ),
    update: (table, rows, columns) =>
      transact(rows.map(({ uuid }) => operation.update(table, operation.byUuid(uuid), columns))),
    insert: (rows) =>
      transact(rows.map(({ table, uuid, columns }) => operation.insert(table, columns, uuid))),
  };
}

function rowOf(wire: Record<string, unknown>): Row {
  const columns = Object.fromEntries(
    Object.entries(wire)
      .map(([column, value]) => [column, plain(value)])
      .sort(ascendingBy(([key]) => String(key))),
  ) as Record<string, unknown>;
  return {
    uuid: columns['_uuid'] as string,
    name: typeof columns['name'] === 'string' ? columns['name'] : '',
    keys: (columns['external_ids'] ?? {}) as Record<string, string>,
    columns,
  };
}

/** Sets and maps have no order on the wire: they get one here. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [tag, content] = value as [string, unknown];
  if (tag === 'uuid') return content;
  if (tag === 'set') return (content as unknown[]).map(plain).sort();
  return Object.fromEntries(
    (content as [string, unknown][])
      .map(([key, it]) => [key, plain(it)] as const)
      .sort(ascendingBy(([key]) => key)),
  );
}
