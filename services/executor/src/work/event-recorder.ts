import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { type EventRegarding, eventRegarding } from './event-regarding';
import { isRestore } from './settle-restore';

/** Records decisions as Events; never throws, never waits. */
export interface EventRecorder {
  record(action: ActionRecord): void;
  /** Settles when the pending Events are written, or given up. */
  idle(): Promise<void>;
}

/** Events that wait are dropped beyond this: they are a courtesy, the ledger has every decision. */
const MOST_WAITING = 500;

/**
 * The reason an Event gives, by what became of the finding. What is only observed is published by
 * the findings.
 */
export const REASONS: Readonly<Record<Exclude<ActionRecord['state'], 'observed'>, string>> = {
  proposed: 'RemovalProposed',
  deferred: 'RemovalDeferred',
  claimed: 'Removing',
  terminating: 'RemovalTerminating',
  done: 'Removed',
  refused: 'RemovalRefused',
  failed: 'RemovalFailed',
  undone: 'RemovalUndone',
};

/** The same where rows of others are put back. */
const RESTORE_REASONS: typeof REASONS = {
  proposed: 'RestoreProposed',
  deferred: 'RestoreDeferred',
  claimed: 'Restoring',
  terminating: 'Restoring',
  done: 'Restored',
  refused: 'RestoreRefused',
  failed: 'RestoreFailed',
  undone: 'RestoreUndone',
};

/**
 * Publishes decisions as Events on the object, or, for a row of OVN, on the object of its Subnet,
 * its Vpc or the cluster.
 */
export function eventRecorder(
  kubernetes: Pick<Kubernetes, 'get' | 'writeEvent'>,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): EventRecorder {
  const regardingOf = eventRegarding(kubernetes, now);
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const about = async ({ target, scope }: ActionRecord): Promise<EventRegarding | undefined> => {
    const { source, kind, namespace, name, uid } = target;
    if (source !== 'kubernetes') return regardingOf(scope, signal);
    return {
      regarding: { kind, name, uid, ...(namespace === undefined ? {} : { namespace }) },
      dropped: 0,
    };
  };
  const record = async (action: ActionRecord, reason: string): Promise<void> => {
    const found = await about(action);
    if (found === undefined || signal.aborted) return;
    const { regarding, dropped } = found;
    const bad = action.state === 'failed' || action.code === 'raced';
    const more =
      dropped === 0
        ? ''
        : ` ${dropped} decisions before it are not shown here: steward actions has them.`;
    await kubernetes.writeEvent(
      {
        regarding,
        type: bad ? 'Warning' : 'Normal',
        reason,
        action: action.action,
        note: `${action.target.kind} ${action.target.name || action.target.uid}: ${action.reason} (rule ${action.rule}, action ${action.id.slice(0, 12)})${more}`,
      },
      signal,
    );
  };
  return {
    record(action) {
      // Of another cluster: what has its name here is another thing.
      if (action.code === 'other-cluster') return;
      if (action.state === 'observed' || waiting >= MOST_WAITING) return;
      const reason = (isRestore(action) ? RESTORE_REASONS : REASONS)[action.state];
      waiting += 1;
      last = last
        .then(() => record(action, reason))
        .catch(() => undefined)
        .finally(() => void (waiting -= 1));
    },
    idle: () => last,
  };
}
