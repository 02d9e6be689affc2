import { operation, type Operation, type Session } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { CommittedTransaction, RefusedTransaction } from './northbound';
import { outcomeOf } from './outcome';

/**
 * Reads what distinguishes a standalone database from every other: the row that northd makes once
 * (ovn-nb(5), NB_Global), whose uuid a backup put back does not keep.
 */
export const SELECT_IDENTITY: readonly Operation[] = [operation.select('NB_Global', [], ['_uuid'])];

/** @throws Failure `source-broken` when there is not exactly one such row. */
export function standaloneIdentity(
  answer: CommittedTransaction | RefusedTransaction,
  where: string,
): string {
  const [result] = answer.is === 'committed' ? answer.results : [];
  const rows = result?.kind === 'selected' ? result.rows : undefined;
  const uuid: unknown = rows?.length === 1 ? rows[0]?.['_uuid'] : undefined;
  if (Array.isArray(uuid) && uuid[0] === 'uuid' && typeof uuid[1] === 'string')
    return `nb:${uuid[1]}`;
  const found =
    rows === undefined
      ? 'did not let its NB_Global row be read'
      : `has ${rows.length} rows of NB_Global, and one is expected`;
  throw new Failure(
    'source-broken',
    `${where} ${found}, so it is not known which Northbound database it is. Check that ovn-northd runs on it.`,
  );
}

/** Which database the session is of. @throws Failure `source-broken`, OvsdbError. */
export async function identityOf(session: Session, where: string): Promise<string> {
  const { server } = session;
  if (server?.model === 'clustered' && server.cid !== undefined) return `cid:${server.cid}`;
  return standaloneIdentity(outcomeOf(await session.transact(SELECT_IDENTITY)), where);
}

/**
 * A database that ovn-northd has not filled yet has no identity; a caller that needs one uses
 * `identityOf`.
 */
export async function identityIfAny(session: Session, where: string): Promise<string | undefined> {
  try {
    return await identityOf(session, where);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * @returns the identity now.
 * @throws Failure `input-foreign-schema` where it was another before.
 */
export function sameDatabase(
  before: string | undefined,
  now: string | undefined,
  where: string,
): string | undefined {
  if (before === undefined || now === before) return now;
  throw new Failure(
    'input-foreign-schema',
    `${where} is ${now ?? 'a database without an identity'} now and was ${before} before: it is another database. Check the addresses, and restart if it was replaced on purpose.`,
  );
}
