import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, type Lock, type Session } from '@ovn-steward/ovsdb';
import { fencedOff, heldElsewhere, lockedOut, notTakenOver } from './failures';
import { type Limits, Overdue } from './limits';
import { EXECUTOR_LOCK } from './requests';

/** The lock, requested on one session. */
interface LockRequest {
  readonly lock: Lock;
  /** Resolves when the server grants it later than at once. */
  readonly granted: Promise<void>;
}

/** The end of a connection that held the lock may be noticed a moment later than it ends. */
const SOON_MS = 1500;

/** Whether this executor may write: it took over, and no other has taken over since. */
export class Fence {
  readonly #where: string;
  readonly #steals: boolean;
  #term = 0;
  #fenced = false;
  #current: { readonly session: Session; readonly request: Promise<LockRequest> } | undefined;

  /**
   * @param where the database, for messages.
   * @param steals whether taking over takes the lock from its holder.
   */
  constructor(where: string, steals: boolean) {
    this.#where = where;
    this.#steals = steals;
  }

  /** Counts the takeovers: what was sent before one says nothing of the time after it. */
  get term(): number {
    return this.#term;
  }

  /**
   * @throws Failure `fenced` where it is known without a request that this executor may not write.
   */
  check(): void {
    if (this.#term === 0) throw notTakenOver(this.#where);
    if (this.#fenced) throw fencedOff(this.#where);
  }

  /**
   * Takes the lock from its holder; an executor that does not steal waits a moment for it.
   * @throws Failure `fenced` where another has it then, OvsdbError.
   */
  async takeOver(session: Session): Promise<void> {
    const steals = this.#steals;
    const before = this.#current?.session === session ? await this.#current.request : undefined;
    if (this.#term > 0 && !this.#fenced && before?.lock.held === true) return;
    const mine = ++this.#term;
    await before?.lock.release();
    const { lock, granted } = await this.#request(session, steals);
    if (!steals && !lock.held) await Promise.race([granted, session.closed, sleep(SOON_MS)]);
    if (mine === this.#term) this.#fenced = !lock.held;
    if (!steals && !lock.held) throw heldElsewhere(this.#where);
  }

  /**
   * Requests the lock unless that was done on this session, and leaves it to its holder.
   * @throws OvsdbError.
   */
  async queueForLock(session: Session): Promise<void> {
    if (this.#current?.session !== session) await this.#request(session, false);
  }

  /**
   * Returns when the lock is held on this session. On a new session it is requested, not stolen: an
   * executor that was cut off while another took over must not take it back from that one.
   * @throws Failure `fenced`, from then on until the next `takeOver`; OvsdbError.
   */
  async hold(session: Session, limits: Limits): Promise<void> {
    this.check();
    const mine = this.#term;
    const { lock, granted } = await limits.within(
      this.#current?.session === session ? this.#current.request : this.#request(session, false),
    );
    if (lock.held) return;
    const ended = session.closed.then((reason) => Promise.reject(reason));
    await limits.within(Promise.race([granted, ended])).catch((error: unknown) => {
      if (!(error instanceof Overdue)) throw error;
      this.lost(mine);
      throw lockedOut(this.#where);
    });
  }

  /** The server said `not owner` to what was sent in this term. */
  lost(term: number): void {
    if (term === this.#term) this.#fenced = true;
  }

  #request(session: Session, steal: boolean): Promise<LockRequest> {
    const sent = this.#term;
    const request = requestLock(session, steal, () => this.lost(sent));
    // Whether the server heard it is not known, and it refuses a second request on one connection.
    request.catch(() => session.close());
    this.#current = { session, request };
    return request;
  }
}

async function requestLock(
  session: Session,
  steal: boolean,
  onStolen: () => void,
): Promise<LockRequest> {
  let grant!: () => void;
  const granted = new Promise<void>((resolve) => {
    grant = resolve;
  });
  const lock = await acquireLock(session.rpc, EXECUTOR_LOCK, {
    steal,
    onChange: (held) => (held ? grant() : onStolen()),
  });
  return { lock, granted };
}
