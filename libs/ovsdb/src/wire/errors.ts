/**
 * Everything this library can fail with. Decide by the code, never by the message: the message is
 * for people and says what happened, where (file, byte, record, table, row), and what to do next.
 */
export const OVSDB_ERRORS = {
  // Files and values
  'not-found': 'the file does not exist',
  unreadable:
    'the operating system refused to read the file, or a piece of it is larger than this process can hold',
  'not-a-database': 'the file does not begin with an OVSDB record',
  truncated: 'the file ends inside a record',
  'hash-mismatch': 'the bytes of a record are not the ones its header was computed from',
  corrupt: 'the bytes are intact, but they are not what a database file may contain',
  'no-schema':
    'the file holds no schema: a database that never joined its cluster, or was never created',
  'schema-invalid': 'a schema that RFC 7047 section 3.2 does not allow',
  'schema-mismatch': 'a table, column or index that the schema at hand does not have',
  'value-invalid': 'a value that does not fit the type of its column',
  'out-of-step':
    'a change to a row that cannot follow from the rows held: start again from a full snapshot',
  unwritable: 'the operating system refused to write the file',
  unflushed:
    'the file is complete and in place, but its folder could not be flushed to disk: a power failure may lose it',
  // Network and transactions
  'remote-invalid': 'a text that is not tcp:HOST:PORT, ssl:HOST:PORT or unix:PATH',
  connection: 'no connection could be made to the server',
  certificate: 'one side did not accept the other’s certificate, or only one of them speaks TLS',
  closed: 'the connection ended',
  timeout: 'the server did not answer in time',
  protocol: 'the other side sent something that RFC 7047 does not allow',
  refused: 'the server answered a request with an error; see RefusedError',
  unsuitable:
    'the server answers, but is not one to use now: no such database, not the leader, cut off, or behind',
  'outcome-unknown':
    'a transaction was sent and no reply came: it may or may not have happened; read the rows before repeating',
} as const satisfies Record<string, string>;

export type OvsdbErrorCode = keyof typeof OVSDB_ERRORS;

/**
 * An expected failure of this library. `code` is one of {@link OVSDB_ERRORS}; `cause` is what lay
 * beneath, where something did.
 */
export class OvsdbError extends Error {
  override readonly name = 'OvsdbError';

  constructor(
    readonly code: OvsdbErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
