import { OvsdbError } from '../wire/errors';
import type { JsonRpc } from '../wire/rpc';

export interface LockOptions {
  /** Take it from its current owner at once (RFC 7047 section 4.1.9). */
  steal?: boolean;
  /** The lock was granted (`true`) or stolen (`false`) after {@link acquireLock} returned. */
  onChange?: (held: boolean) => void;
}

export interface Lock {
  readonly name: string;
  /**
   * Whether it is ours now: false while others are before us, after it was stolen, and once the
   * connection ended.
   */
  readonly held: boolean;
  /** Gives it up, or leaves the queue. */
  release(): Promise<void>;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Requests a lock (RFC 7047 sections 4.1.8 to 4.1.10). Check `held`, and put `assertLock` into the
 * transactions it guards.
 *
 * Locks live in one server process. Two members of a cluster grant the same lock to two clients, so
 * a lock never fences: a `wait` with timeout 0 in the transaction does.
 * @throws TypeError for a name that is no identifier (`[A-Za-z_][A-Za-z0-9_]*`, so no dashes);
 * RefusedError when this connection has already requested it.
 */
export async function acquireLock(
  rpc: JsonRpc,
  name: string,
  { steal = false, onChange }: LockOptions = {},
): Promise<Lock> {
  if (!IDENTIFIER.test(name))
    throw new TypeError(
      `${JSON.stringify(name)} cannot name a lock: letters, digits and underscores only, no digit first.`,
    );
  // The notification may be in the same packet as the reply and is then heard first, though it is
  // the later word.
  let held: boolean | undefined;
  let returned = false;
  const stop = rpc.listen({
    onNotification: (method, [subject]) => {
      if (subject !== name || (method !== 'locked' && method !== 'stolen')) return;
      held = method === 'locked';
      if (returned) onChange?.(held);
    },
  });
  try {
    const { locked } = (await rpc.request(steal ? 'steal' : 'lock', [name])) as {
      locked?: unknown;
    };
    if (typeof locked !== 'boolean')
      throw new OvsdbError(
        'protocol',
        `The server answered the request for lock ${name} without saying who has it.`,
      );
    held ??= locked;
    returned = true;
  } catch (error) {
    stop();
    throw error;
  }
  return {
    name,
    get held() {
      return held === true && rpc.ended === undefined;
    },
    release: async () => {
      stop();
      held = false;
      await rpc.request('unlock', [name]);
    },
  };
}
