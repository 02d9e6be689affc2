import { OvsdbError } from './errors';

/**
 * The server answered a request with an error (RFC 7047 section 3.1). Decide by `error`, the
 * protocol's own word.
 */
export class RefusedError extends OvsdbError {
  constructor(
    readonly method: string,
    /** The `error` string, such as `unknown method`, `unknown database` or `canceled`. */
    readonly error: string,
    readonly details?: string,
  ) {
    super(
      'refused',
      `The server refused ${method}: ${error}${details === undefined ? '' : ` (${details})`}.`,
    );
  }

  /** From a reply's `error` member, which servers send as an object or as a bare string. */
  static from(method: string, json: unknown): RefusedError {
    if (typeof json !== 'object' || json === null) return new RefusedError(method, String(json));
    const { error, details } = json as { error?: unknown; details?: unknown };
    return new RefusedError(
      method,
      typeof error === 'string' ? error : 'unspecified error',
      typeof details === 'string' ? details : undefined,
    );
  }
}
