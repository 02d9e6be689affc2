import type { Action as ActionRecord } from '@ovn-steward/shared/events/action';
import type { Kubernetes, ObjectEvent } from '../kubernetes/kubernetes';

/** Told of decisions; never throws, never waits. */
export interface ObjectTeller {
  tell(action: ActionRecord): void;
  /** Settles when what waits is told, or given up. */
  idle(): Promise<void>;
}

/** Events that wait are dropped beyond this: they are a courtesy, the ledger has every decision. */
const MOST_WAITING = 500;

const REASONS: Readonly<Partial<Record<ActionRecord['state'], string>>> = { proposed: 'RemovalProposed', deferred: 'RemovalDeferred', claimed: 'Removing', done: 'Removed', refused: 'RemovalRefused', failed: 'RemovalFailed', undone: 'RemovalUndone' };

/**
 * Tells people of decisions where they look: as Events on the object, or, for a row of OVN, on the Subnet it lies in. What is only observed is told
 * by the findings.
 */
export function objectTeller(kubernetes: Pick<Kubernetes, 'get' | 'tell'>, signal: AbortSignal): ObjectTeller {
  const subnets = new Map<string, Promise<ObjectEvent['regarding'] | undefined>>();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const subnet = (name: string): Promise<ObjectEvent['regarding'] | undefined> => {
    const asked = subnets.get(name) ?? kubernetes.get('Subnet', undefined, name, signal).then((it) => it && { kind: 'Subnet', name, uid: it.metadata.uid }, () => undefined);
    subnets.set(name, asked);
    return asked;
  };
  const regarding = async ({ target, scope }: ActionRecord): Promise<ObjectEvent['regarding'] | undefined> => {
    const { source, kind, namespace, name, uid } = target;
    if (source === 'kubernetes') return { kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
    return scope.subnet === null ? undefined : subnet(scope.subnet);
  };
  const told = async (action: ActionRecord, reason: string): Promise<void> => {
    const about = await regarding(action);
    if (about === undefined || signal.aborted) return;
    const bad = action.state === 'failed' || action.code === 'raced';
    await kubernetes.tell({ regarding: about, type: bad ? 'Warning' : 'Normal', reason, action: action.action, note: `${action.target.kind} ${action.target.name || action.target.uid}: ${action.reason} (rule ${action.rule}, action ${action.id.slice(0, 12)})` }, signal);
  };
  return {
    tell(action) {
      const reason = REASONS[action.state];
      if (reason === undefined || waiting >= MOST_WAITING) return;
      waiting += 1;
      last = last.then(() => told(action, reason)).catch(() => undefined).finally(() => void (waiting -= 1));
    },
    idle: () => last,
  };
}
