import { type ConnectOptions, openSession, OvsdbError, type Remote } from '@ovn-steward/ovsdb';

/**
 * The databases a server has; none when it does not answer. Read through `_Server`, which every
 * server since OVS 2.9 has.
 */
export async function listDatabases(remote: Remote, options: ConnectOptions): Promise<string[]> {
  try {
    const session = await openSession(remote, {
      ...options,
      database: '_Server',
      leaderOnly: false,
    });
    try {
      const names = await session.rpc.request('list_dbs', []);
      return Array.isArray(names) ? names.filter((it) => typeof it === 'string') : [];
    } finally {
      session.close();
    }
  } catch (error) {
    if (error instanceof OvsdbError) return [];
    throw error;
  }
}
