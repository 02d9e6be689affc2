import {
  type Attempt,
  OvsdbError,
  type Remote,
  serverFinder,
  type Session,
  type TlsMaterial,
} from '@ovn-steward/ovsdb';
import { checkSchema, ovsdbFailure } from '../ovn/failure';
import { otherDatabase } from '../ovn/other-database';
import { DATABASE_NAME } from '../ovn/selection';
import { Failure } from '@ovn-steward/shared/errors';
import { closedHere } from './failures';
import { identityIfAny, sameDatabase } from './identity';
import { type Limits, Overdue } from './limits';

export interface LiveSessionOptions {
  readonly remotes: readonly Remote[];
  /** The remotes as they were given, for messages. */
  readonly where: string;
  readonly tls?: () => TlsMaterial;
  readonly timeoutMs: number;
  /** A server could not be used, or a connection ended. A message without values of rows. */
  readonly onTrouble?: (message: string) => void;
}

/**
 * Keeps one session, opened at the first request and again after it ended, for as long as a caller
 * waits for it.
 */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #closing = new AbortController();
  /** A server that does not answer must leave time for the next one. */
  readonly #patienceMs: number;
  readonly #finder: ReturnType<typeof serverFinder>;
  #current: Session | undefined;
  #search: Promise<Session | undefined> | undefined;
  #lastTrouble: OvsdbError | undefined;
  #identity: string | undefined;
  #waiting = 0;
  #count = 0;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    const patienceMs = Math.max(250, Math.round(options.timeoutMs / (options.remotes.length + 1)));
    this.#patienceMs = patienceMs;
    this.#finder = serverFinder({
      remotes: options.remotes,
      database: DATABASE_NAME['ovn-nb'],
      ...(options.tls && { tls: options.tls }),
      signal: this.#closing.signal,
      connectTimeoutMs: patienceMs,
      timeoutMs: patienceMs,
      probeMs: 5000,
      backoff: { baseMs: 50, capMs: 1000 },
    });
  }

  /**
   * The session in use; a new one where there is none, or where it has ended.
   * @throws Failure `source-unreachable` when none could be had within the limits,
   *   `input-foreign-schema` when what is reached is no Northbound database, or another one than
   *   before. The signal's reason.
   */
  async get(limits: Limits): Promise<Session> {
    const { where, timeoutMs } = this.#options;
    this.#waiting++;
    try {
      for (;;) {
        if (this.#closing.signal.aborted) throw closedHere(where);
        if (this.#current !== undefined && this.#current.rpc.ended === undefined)
          return this.#current;
        const found = await limits.within((this.#search ??= this.#searched()));
        if (found !== undefined) return found;
      }
    } catch (error) {
      if (this.#closing.signal.aborted) throw closedHere(where);
      throw error instanceof Overdue
        ? unreachable(where, timeoutMs, this.#lastTrouble)
        : ovsdbFailure(error);
    } finally {
      this.#waiting--;
    }
  }

  /** How many there were so far. */
  count(): number {
    return this.#count;
  }

  close(): void {
    this.#closing.abort();
    this.#current?.close();
  }

  #searched(): Promise<Session | undefined> {
    return this.#find().finally(() => (this.#search = undefined));
  }

  /** @returns undefined when no caller waits any more. */
  async #find(): Promise<Session | undefined> {
    while (this.#waiting > 0) {
      const attempts = this.#finder.find();
      let step = await attempts.next();
      for (; step.done !== true && this.#waiting > 0; step = await attempts.next())
        await this.#failed(step.value);
      const accepted = step.done === true ? await this.#accept(step.value) : undefined;
      if (accepted !== undefined) return accepted;
    }
    return undefined;
  }

  async #failed({ remote, error }: Attempt): Promise<void> {
    this.#trouble(error);
    if (error.code !== 'unsuitable') return;
    const { where, tls } = this.#options;
    const other = await otherDatabase(remote, 'ovn-nb', {
      ...(tls && { tls }),
      connectTimeoutMs: this.#patienceMs,
      signal: this.#closing.signal,
    });
    if ('unknown' in other) this.#trouble(other.unknown);
    else if (other.instead !== undefined) throw foreign(where, other.instead);
  }

  #trouble(error: OvsdbError): void {
    this.#lastTrouble = error;
    this.#options.onTrouble?.(error.message);
  }

  /** @returns undefined when it ended meanwhile. @throws Failure `input-foreign-schema`. */
  async #accept(session: Session): Promise<Session | undefined> {
    const { where } = this.#options;
    try {
      checkSchema('ovn-nb', session.schema, where);
      this.#identity = sameDatabase(this.#identity, await identityIfAny(session, where), where);
      this.#count++;
      return (this.#current = session);
    } catch (error) {
      session.close();
      if (!(error instanceof OvsdbError)) throw error;
      this.#lastTrouble = error;
      return undefined;
    } finally {
      void session.closed.then((reason) => this.#ended(session, reason));
    }
  }

  #ended(session: Session, reason: Error): void {
    if (this.#current === session) this.#current = undefined;
    if (!this.#closing.signal.aborted) this.#options.onTrouble?.(reason.message);
  }
}

const unreachable = (where: string, timeoutMs: number, cause: OvsdbError | undefined): Failure =>
  new Failure(
    'source-unreachable',
    `No fit server of ${where} was found within ${timeoutMs} ms; nothing was sent.${cause === undefined ? '' : ` The last trouble: ${cause.message}`}`,
    { cause },
  );

/** Another database's address given for the Northbound one: waiting will not mend that. */
const foreign = (where: string, other: string): Failure =>
  new Failure(
    'input-foreign-schema',
    `${where} has the database ${other} and no ${DATABASE_NAME['ovn-nb']}. Check the addresses.`,
  );
