import { type ConnectOptions, openSession, OvsdbError, type Remote } from '@ovn-steward/ovsdb';
import { DATABASE_NAME, type OvnDatabaseId } from './selection';

/**
 * What a server has that lacks a database: another one of OVN's instead, or nothing of OVN's. Where
 * it could not be asked, that is not known, and why.
 */
export type OtherDatabase =
  { readonly instead: string | undefined } | { readonly unknown: OvsdbError };

/**
 * Which of OVN's databases a server has instead of the one that is meant. Read through `_Server`,
 * which every server since OVS 2.9 has.
 * @throws the signal's reason.
 */
export async function otherDatabase(
  remote: Remote,
  id: OvnDatabaseId,
  options: ConnectOptions,
): Promise<OtherDatabase> {
  try {
    const databases = await listDatabases(remote, options);
    const meant = DATABASE_NAME[id];
    const other = Object.values(DATABASE_NAME).find((it) => it !== meant && databases.includes(it));
    return { instead: databases.includes(meant) ? undefined : other };
  } catch (error) {
    if (error instanceof OvsdbError) return { unknown: error };
    throw error;
  }
}

/** @throws OvsdbError. */
async function listDatabases(remote: Remote, options: ConnectOptions): Promise<unknown[]> {
  const session = await openSession(remote, { ...options, database: '_Server', leaderOnly: false });
  try {
    const names = await session.rpc.request('list_dbs', []);
    if (Array.isArray(names)) return names;
    throw new OvsdbError('protocol', 'The server has no list of databases.');
  } finally {
    session.close();
  }
}
