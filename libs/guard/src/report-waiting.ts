import { setTimeout as sleep } from 'node:timers/promises';
import type { Kubernetes, ObjectEvent } from '@ovn-steward/systems/kubernetes/kubernetes';
import { type GuardEvent, NO_EVENTS } from './guard-event';
import type { WaitingVpc } from './waiting';

export interface ReportWaitingOptions {
  readonly kubernetes: Pick<Kubernetes, 'writeEvent'>;
  /**
   * For how long a deletion that no subnet is in the way of is nothing to speak of on the Vpc;
   * milliseconds.
   */
  readonly reportAfterMs: number;
  /** Must not throw. */
  readonly onEvent: (event: GuardEvent) => void;
}

/** Says which deletions of Vpcs wait whenever that changes, and on each Vpc for what. */
export function waitingReporter(
  { kubernetes, reportAfterMs, onEvent }: ReportWaitingOptions,
  signal: AbortSignal,
): { report(name: string, now: WaitingVpc | undefined): void; end(): void } {
  const waiting = new Map<string, WaitingVpc>();
  const writeEvent = async (now: WaitingVpc): Promise<void> => {
    if (!(await kubernetes.writeEvent(eventOn(now), signal)) && !signal.aborted)
      onEvent({ type: 'guard-failed', error: NO_EVENTS });
  };
  return {
    report(name, now) {
      if (JSON.stringify(now) === JSON.stringify(waiting.get(name))) return;
      if (now) waiting.set(name, now);
      else waiting.delete(name);
      onEvent({ type: 'guard-waits', waiting: [...waiting.values()] });
      if (now?.subnets === undefined) return;
      if (now.subnets.length > 0) void writeEvent(now);
      else
        void sleep(reportAfterMs, undefined, { signal }).then(
          () => (waiting.get(name) === now ? writeEvent(now) : undefined),
          () => undefined,
        );
    },
    end() {
      if (waiting.size > 0) onEvent({ type: 'guard-waits', waiting: [] });
    },
  };
}

/**
 * Named by its content: a new Event is written only when the subnets, or, without any, the
 * finalizers change.
 */
const eventOn = ({ name, uid, subnets = [], finalizers }: WaitingVpc): ObjectEvent => ({
  regarding: { kind: 'Vpc', name, uid },
  type: 'Warning',
  reason: 'DeletionWaits',
  action: 'GuardVpc',
  note:
    subnets.length > 0
      ? `The deletion waits for ${subnets.length === 1 ? 'a subnet that names' : `${subnets.length} subnets that name`} this VPC: ${subnets.join(', ')}. Delete ${subnets.length === 1 ? 'it' : 'them'} first.`
      : `The deletion waits, though no subnet names this VPC, for whoever set its finalizers: ${finalizers.join(', ')}. What they wait for: steward doctor vpc/${name}`,
});
