import {
  followDatabase,
  openDatabase,
  operation,
  readHistory,
  type Session,
} from '@ovn-steward/ovsdb';
import type { OvnRaft } from '@ovn-steward/testbed/ovn-raft';

const DATABASE = 'OVN_Northbound';

/** Who saw what became of the Northbound, without any part of the executor. */
export interface NorthboundWitness {
  /** How often rows were seen to go, by uuid. */
  readonly deletions: ReadonlyMap<string, number>;
  /** How many of these are gone. */
  gone(uuids: readonly string[]): number;
  /** Every column of every row but those that are not stored, in one text. */
  contents(): Promise<string>;
  /**
   * By uuid: what the authors of the transactions that deleted the row said of them, from the file
   * of the server that leads.
   */
  epitaphs(): Promise<ReadonlyMap<string, readonly string[]>>;
  withSession<T>(use: (session: Session) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export function witnessNorthbound(nb: OvnRaft): NorthboundWitness {
  const remotes = nb.remotes.join(',');
  const stopped = new AbortController();
  const deletions = new Map<string, number>();
  const watching = (async () => {
    for await (const event of followDatabase({
      remotes,
      database: DATABASE,
      signal: stopped.signal,
      backoff: { baseMs: 50, capMs: 500 },
    })) {
      if (event.type !== 'snapshot' && event.type !== 'changes') continue;
      for (const { kind, uuid } of event.changes)
        if (kind === 'delete') deletions.set(uuid, (deletions.get(uuid) ?? 0) + 1);
    }
  })();
  const withSession = async <T>(use: (session: Session) => Promise<T>): Promise<T> => {
    const session = await openDatabase({ remotes, database: DATABASE });
    try {
      return await use(session);
    } finally {
      session.close();
    }
  };
  return {
    deletions,
    gone: (uuids) => uuids.filter((it) => deletions.has(it)).length,
    contents: () => withSession(contentsOf),
    epitaphs: async () => epitaphsIn((await nb.leader()).file),
    withSession,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}

async function contentsOf(session: Session): Promise<string> {
  const tables = [...session.schema.tables.values()];
  const read = await session.transact(
    tables.map(({ name, columns }) =>
      operation.select(
        name,
        [],
        ['_uuid', ...[...columns.values()].filter((it) => !it.ephemeral).map((it) => it.name)],
      ),
    ),
  );
  if (!read.ok) throw new Error(`the Northbound could not be read: ${JSON.stringify(read.error)}`);
  return read.results
    .flatMap((result, index) =>
      result.kind === 'selected'
        ? result.rows.map((row) => `${tables[index]!.name} ${JSON.stringify(row)}`)
        : [],
    )
    .sort()
    .join('\n');
}

async function epitaphsIn(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const said = new Map<string, string[]>();
  for await (const { changes, comment } of readHistory(file, { allowTornTail: true })) {
    for (const { kind, uuid } of changes)
      if (kind === 'delete') said.set(uuid, [...(said.get(uuid) ?? []), comment ?? '']);
  }
  return said;
}
