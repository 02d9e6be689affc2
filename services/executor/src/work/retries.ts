import { ascendingBy } from '@ovn-steward/shared/compare';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Unsettled as UnsettledOf } from '@ovn-steward/contracts/actions/unsettled';

/** What is under way and could not be brought to its end so far. */
export interface UnsettledAction extends Readonly<UnsettledOf> {
  /** The action's. */
  readonly id: string;
}

export interface Retries {
  /** Of these those whose time has come, who was tried longest ago first. */
  due(ids: Iterable<string>): readonly string[];
  /** What is not among these is under way no more. */
  keep(ids: Iterable<string>): void;
  /**
   * Takes one step about one action. What it fails with is kept, and it is due again after a pause
   * that grows; others go on.
   * @returns whether it was taken.
   * @throws what is not of this action alone: `fenced`, `other-cluster`, what the log or our own
   *   memory failed with, and the signal's reason.
   */
  attempt(id: string, step: () => Promise<unknown>, signal: AbortSignal): Promise<boolean>;
  unsettled(): readonly UnsettledAction[];
}

interface Tried extends UnsettledAction {
  /** By the steady clock, in milliseconds. */
  readonly at: number;
  readonly dueAt: number;
}

export interface RetriesOptions {
  readonly clock: () => Date;
  /** What is known of it from before this process, where that is something. */
  readonly before?: (id: string) => Readonly<UnsettledOf> | undefined;
  /** Called with each failure. What it throws ends the turn. */
  readonly onFailure: (unsettled: UnsettledAction, error: unknown, retryInMs: number) => void;
  /** Milliseconds, of a clock that is never set back. */
  readonly steady?: () => number;
}

/**
 * One retry for each action that is under way, so that one that cannot be settled keeps no other
 * waiting.
 */
export function retriesOf({
  clock,
  before = () => undefined,
  onFailure,
  steady = () => performance.now(),
}: RetriesOptions): Retries {
  const tried = new Map<string, Tried>();
  return {
    due(ids) {
      const now = steady();
      const triedAt = (id: string): number => tried.get(id)?.at ?? -Infinity;
      return [...ids]
        .filter((id) => (tried.get(id)?.dueAt ?? -Infinity) <= now)
        .sort(ascendingBy(triedAt));
    },
    keep(ids) {
      const kept = new Set(ids);
      for (const id of tried.keys()) if (!kept.has(id)) tried.delete(id);
    },
    async attempt(id, step, signal) {
      try {
        await step();
        tried.delete(id);
        return true;
      } catch (error) {
        if (signal.aborted || isOfAll(error)) throw error;
        const known = tried.get(id) ?? before(id);
        const failures = (known?.failures ?? 0) + 1;
        const retryInMs = doublingBackOff(failures);
        const unsettled: UnsettledAction = {
          id,
          since: known?.since ?? clock().toISOString(),
          failures,
          why: messageOf(error),
          nextTryAt: new Date(clock().getTime() + retryInMs).toISOString(),
        };
        tried.set(id, { ...unsettled, at: steady(), dueAt: steady() + retryInMs });
        onFailure(unsettled, error, retryInMs);
        return false;
      }
    },
    unsettled: () => [...tried.values()].map(({ at: _, dueAt: __, ...unsettled }) => unsettled),
  };
}

/**
 * Whether it failed with what everything fails with: another executor has taken over, the systems
 * are others, the log does not take or give records, or our own memory is lost.
 */
const isOfAll = (error: unknown): boolean =>
  error instanceof Failure &&
  /^(?:fenced$|other-cluster$|log-(?!record-refused$)|state-)/.test(error.code);
