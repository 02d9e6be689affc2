import { Failure } from '@ovn-steward/shared/errors';

const HIDDEN = '***';
/** What must not be shown whatever it holds. `key` alone is the key of a record. */
const SECRET_NAME = /^(sasl|authorization|cookie|token|.*password|.*secret|.*private_?key)$/i;
const MOST_CHARACTERS = 4000;
const MOST_ITEMS = 200;
const DEEPEST = 6;

export interface Concealing {
  /** From now on hides this text wherever it occurs; empty text hides nothing. */
  conceal(secret: string): void;
  /**
   * The value as plain data fit for a log: no secrets, errors as code and message, bounded in size.
   * Takes anything.
   */
  shown<T>(value: T): T;
}

/**
 * Keeps secrets out of what is logged: by the names of fields, and by the secrets themselves
 * wherever they turn up.
 */
export function concealing(): Concealing {
  const secrets: string[] = [];
  const text = (original: string): string => {
    const clean = secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), original);
    return clean.length > MOST_CHARACTERS ? `${clean.slice(0, MOST_CHARACTERS)}…` : clean;
  };
  const error = (error: Error): object => ({
    code: (error as { code?: unknown }).code ?? error.name,
    message: text(error.message),
    // Where it happened is of use only for an unexpected error.
    ...(error instanceof Failure || error.stack === undefined ? {} : { stack: text(error.stack) }),
  });
  const data = (value: unknown, depth: number, within: ReadonlySet<object>): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null)
      return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    if (value instanceof Error) return error(value);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
    if (depth >= DEEPEST || within.has(value)) return '…';
    const inside = new Set(within).add(value);
    if (value instanceof Map) return data(Object.fromEntries(value), depth, inside);
    if (value instanceof Set) return data([...value], depth, inside);
    if (Array.isArray(value))
      return value.slice(0, MOST_ITEMS).map((it) => data(it, depth + 1, inside));
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, MOST_ITEMS)
        .map(([name, field]) => [
          text(name),
          SECRET_NAME.test(name) && field !== undefined ? HIDDEN : data(field, depth + 1, inside),
        ]),
    );
  };
  return {
    conceal(secret) {
      if (secret !== '' && !secrets.includes(secret)) secrets.push(secret);
    },
    shown: <T>(value: T): T => data(value, 0, new Set()) as T,
  };
}
