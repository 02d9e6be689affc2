import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Kubernetes, ObjectEvent } from '@ovn-steward/systems/kubernetes/kubernetes';

type Regarding = ObjectEvent['regarding'];

/** An object that was there is taken to be there for so long; milliseconds. */
const KEEP_MS = 300_000;
/**
 * So many at once on one object, and then one each so many milliseconds; client-go has 25, and one
 * in five minutes (tools/record, EventSourceObjectSpamFilter).
 */
const BURST = 50;
const REFILL_MS = 10_000;

/** The object that gets an Event about something that has no object of its own. */
export interface EventRegarding {
  readonly regarding: Regarding;
  /** How many Events on it were dropped since the last one that was written. */
  readonly dropped: number;
}

/**
 * Finds the object for Events about a row of OVN: the Subnet it lies in, else its Vpc, else
 * Namespace kube-system, whose uid stands for the cluster. One that does not exist, or cannot be
 * read, is skipped. So that one object is not flooded, it is found for a bounded number of
 * decisions, and the others are counted.
 * @param now milliseconds, of a clock that is never set back.
 */
export function eventRegarding(
  kubernetes: Pick<Kubernetes, 'get'>,
  now: () => number,
): (scope: ActionRecord['scope'], signal: AbortSignal) => Promise<EventRegarding | undefined> {
  const found = new Map<string, { readonly regarding: Regarding; readonly at: number }>();
  const spent = new Map<string, { left: number; at: number; dropped: number }>();

  const find = async (
    kind: string,
    name: string,
    signal: AbortSignal,
  ): Promise<Regarding | undefined> => {
    const key = `${kind}/${name}`;
    const known = found.get(key);
    if (known && now() - known.at < KEEP_MS) return known.regarding;
    found.delete(key);
    const object = await kubernetes.get(kind, undefined, name, signal).catch(() => undefined);
    if (!object) return undefined;
    const regarding = { kind, name, uid: object.metadata.uid };
    found.set(key, { regarding, at: now() });
    return regarding;
  };
  const allowed = (regarding: Regarding): EventRegarding | undefined => {
    const before = spent.get(regarding.uid) ?? { left: BURST, at: now(), dropped: 0 };
    const left = Math.min(BURST, before.left + (now() - before.at) / REFILL_MS);
    spent.set(
      regarding.uid,
      left >= 1
        ? { left: left - 1, at: now(), dropped: 0 }
        : { left, at: now(), dropped: before.dropped + 1 },
    );
    return left >= 1 ? { regarding, dropped: before.dropped } : undefined;
  };
  return async ({ subnet, vpc }, signal) => {
    const regarding =
      (subnet === null ? undefined : await find('Subnet', subnet, signal)) ??
      (vpc === null ? undefined : await find('Vpc', vpc, signal)) ??
      (await find('Namespace', 'kube-system', signal));
    return regarding && allowed(regarding);
  };
}
