import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, type Lock, type Session } from '@ovn-steward/ovsdb';
import { fencedOff, heldElsewhere, lockedOut, notTakenOver } from './failures';
import { type Limits, Overdue } from './limits';
import { EXECUTOR_LOCK } from './requests';

/** Whether this executor may write: it took over, and no other has taken over since. */
export interface Fence {
  /** Counts the takeovers: what was sent before one says nothing of the time after it. */
  readonly term: number;
  /**
   * @throws Failure `fenced` where it is known without a request that this executor may not write.
   */
  check(): void;
  /**
   * Takes the lock from its holder; an executor that does not steal waits a moment for it.
   * @throws Failure `fenced` where another has it then, OvsdbError.
   */
  takeOver(session: Session): Promise<void>;
  /**
   * Requests the lock unless that was done on this session, and leaves it to its holder.
   * @throws OvsdbError.
   */
  queueForLock(session: Session): Promise<void>;
  /**
   * Returns when the lock is held on this session. On a new session it is requested, not stolen: an
   * executor that was cut off while another took over must not take it back from that one.
   * @throws Failure `fenced`, from then on until the next `takeOver`; OvsdbError.
   */
  hold(session: Session, limits: Limits): Promise<void>;
  /** The server said `not owner` to what was sent in this term. */
  lost(term: number): void;
}

/** The lock, requested on one session. */
interface LockRequest {
  readonly lock: Lock;
  /** Resolves when the server grants it later than at once. */
  readonly granted: Promise<void>;
}

/** The end of a connection that held the lock may be noticed a moment later than it ends. */
const SOON_MS = 1500;

/**
 * @param where the database, for messages.
 * @param steals whether taking over takes the lock from its holder.
 */
export function createFence(where: string, steals = true): Fence {
  let term = 0;
  let fenced = false;
  let current: { readonly session: Session; readonly request: Promise<LockRequest> } | undefined;

  const lost = (sent: number): void => {
    if (sent === term) fenced = true;
  };

  const check = (): void => {
    if (term === 0) throw notTakenOver(where);
    if (fenced) throw fencedOff(where);
  };

  const requestOn = (session: Session, steal: boolean): Promise<LockRequest> => {
    const sent = term;
    const request = requestLock(session, steal, () => lost(sent));
    // Whether the server heard it is not known, and it refuses a second request on one connection.
    request.catch(() => session.close());
    current = { session, request };
    return request;
  };

  return {
    get term() {
      return term;
    },
    lost,
    takeOver: async (session) => {
      const before = current?.session === session ? await current.request : undefined;
      if (term > 0 && !fenced && before?.lock.held === true) return;
      const mine = ++term;
      await before?.lock.release();
      const { lock, granted } = await requestOn(session, steals);
      if (!steals && !lock.held) await Promise.race([granted, session.closed, sleep(SOON_MS)]);
      if (mine === term) fenced = !lock.held;
      if (!steals && !lock.held) throw heldElsewhere(where);
    },
    queueForLock: async (session) => {
      if (current?.session !== session) await requestOn(session, false);
    },
    check,
    hold: async (session, limits) => {
      check();
      const mine = term;
      const { lock, granted } = await limits.within(
        current?.session === session ? current.request : requestOn(session, false),
      );
      if (lock.held) return;
      const ended = session.closed.then((reason) => Promise.reject(reason));
      await limits.within(Promise.race([granted, ended])).catch((error: unknown) => {
        if (!(error instanceof Overdue)) throw error;
        lost(mine);
        throw lockedOut(where);
      });
    },
  };
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
