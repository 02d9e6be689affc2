import { OvsdbError, type OvsdbErrorCode } from '@ovn-steward/ovsdb';
import { Failure, type FailureCode } from '@ovn-steward/shared/errors';
import { DATABASE_NAME, type OvnDatabaseId } from './selection';

const CODES: Partial<Record<OvsdbErrorCode, FailureCode>> = {
  'not-found': 'input-not-found',
  unreadable: 'input-unreadable',
  'not-a-database': 'input-not-a-database',
  truncated: 'input-truncated',
  'hash-mismatch': 'input-unreadable',
  corrupt: 'input-unreadable',
  'no-schema': 'input-not-a-database',
  'schema-invalid': 'input-unreadable',
  'schema-mismatch': 'input-unreadable',
  'value-invalid': 'input-unreadable',
  'out-of-step': 'input-unreadable',
  'remote-invalid': 'config-invalid',
  unwritable: 'output-unwritable',
  unflushed: 'output-unwritable',
};

/**
 * An error of the OVSDB library as one of ours; its message already names the file or server and
 * what to do. Other errors stay as they are.
 */
export function ovsdbFailure(error: unknown): unknown {
  if (!(error instanceof OvsdbError)) return error;
  return new Failure(CODES[error.code] ?? 'source-unreachable', error.message, { cause: error });
}

/** Tables every version of the database has (OVN 20.03 and later). */
const ALWAYS_THERE: Readonly<Record<OvnDatabaseId, string>> = {
  'ovn-nb': 'Logical_Switch_Port',
  'ovn-sb': 'Port_Binding',
};

/**
 * @param where the file or servers, for the message.
 * @throws Failure `input-foreign-schema` when the database is not the one meant.
 */
export function checkSchema(
  id: OvnDatabaseId,
  schema: { readonly name: string; readonly tables: ReadonlyMap<string, unknown> },
  where: string,
): void {
  const wanted = DATABASE_NAME[id];
  if (schema.name === wanted && schema.tables.has(ALWAYS_THERE[id])) return;
  if (schema.name === wanted)
    throw new Failure(
      'input-foreign-schema',
      `${where} is called ${wanted} and has no table ${ALWAYS_THERE[id]}, which every version of OVN since 20.03 has. Name one that OVN made.`,
    );
  const other = (Object.keys(DATABASE_NAME) as OvnDatabaseId[]).find(
    (it) => DATABASE_NAME[it] === schema.name,
  );
  const advice =
    other && other !== id
      ? `It is of the ${other === 'ovn-nb' ? 'Northbound' : 'Southbound'}: name one of the ${id === 'ovn-nb' ? 'Northbound' : 'Southbound'} in its place.`
      : `Name one whose schema is ${wanted}.`;
  throw new Failure(
    'input-foreign-schema',
    `${where} holds the database ${schema.name}, not ${wanted}. ${advice}`,
  );
}

/** @param found what the server is instead, as the rest of a sentence. */
export const foreignCluster = (id: OvnDatabaseId, found: string): Failure =>
  new Failure(
    'input-foreign-schema',
    `A server given for ${DATABASE_NAME[id]} ${found}. Check the addresses; if the cluster was recreated on purpose, remove the collector's state and start again.`,
  );

/** Only the address can be wrong here, so nobody is told to remove state. */
export const foreignDatabase = (id: OvnDatabaseId, instead: string): Failure =>
  new Failure(
    'input-foreign-schema',
    `A server given for ${DATABASE_NAME[id]} has the database ${instead} and no ${DATABASE_NAME[id]}. Check its address and port.`,
  );
