import { Failure } from '@ovn-steward/shared/errors';
import { sameIdentity } from '@ovn-steward/shared/cluster-identity';
import { type BelongingEvent, type BelongingOptions, otherText, SEND_MS } from './belonging';

export interface GuardGateOptions extends Pick<
  BelongingOptions,
  'cluster' | 'living' | 'owners' | 'newest'
> {
  /**
   * Settles once the ledger holds what the log says: a file that is new knows only then whose it
   * is.
   */
  readonly caughtUp: Promise<unknown>;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: Extract<BelongingEvent, { type: 'other-cluster' }>) => void;
}

/**
 * The check of a guard right before each write, for `guardedSystems`: whether the systems that
 * answer are those the ledger belongs to, as the executor beside it checks. It reads the ledger's
 * owner each time, since a person may have adopted it meanwhile. A ledger without an owner refuses
 * nothing.
 * @returns a check that throws Failure `other-cluster` where others answer, and the error of
 * reading them or of waiting for the log.
 */
export const guardGate =
  ({ cluster, living, owners, newest, caughtUp, onEvent }: GuardGateOptions) =>
  async (signal: AbortSignal): Promise<void> => {
    await caughtUp;
    signal.throwIfAborted();
    const owner = owners.get(cluster)?.identity ?? newest();
    if (owner === undefined) return;
    const pair = await living.recent(SEND_MS, signal);
    if (sameIdentity(owner, pair)) return;
    const why = otherText(cluster, owner, pair);
    onEvent({ type: 'other-cluster', what: 'guard', why });
    throw new Failure('other-cluster', why);
  };
