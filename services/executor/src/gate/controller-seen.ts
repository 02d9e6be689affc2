import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf } from '@ovn-steward/judgement/kube-ovn/lease-holder';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';

/**
 * Why no kube-ovn-controller would finish what it is given, in words; undefined when one is at
 * work. Never throws, but for the signal's reason.
 */
export type ControllerWatch = (signal: AbortSignal) => Promise<string | undefined>;

/**
 * A leader renews its Lease every few seconds (kube-ovn.md §0.1): so long after the last renewal
 * that was seen it is taken to be there; milliseconds.
 */
const FRESH_MS = 20_000;
/** A leader has renewed its Lease after so long; milliseconds. */
const RENEWED_WITHIN_MS = 6000;
const POLL_INTERVAL_MS = 500;

export interface ControllerWatchOptions {
  /** Milliseconds, of a clock that is never set back. */
  readonly steady?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Watches whether a kube-ovn-controller renews its Lease. Only a change between two reads counts:
 * the times in the Lease are by the clock of the controller's node, which may be an hour off.
 * Without a recent read, a call reads for up to six seconds.
 */
export function watchController(
  kubernetes: Pick<Kubernetes, 'get'>,
  { namespace, lease }: Settings['executor']['kubeOvn'],
  {
    steady = () => performance.now(),
    pause = (ms, signal) => sleep(ms, undefined, { signal }),
  }: ControllerWatchOptions = {},
): ControllerWatch {
  const at = `${namespace}/${lease}`;
  let last: { readonly uid: unknown; readonly content: string; readonly at: number } | undefined;
  let renewedAt = -Infinity;
  /** @returns why there is no leader, whatever it was before. */
  const readController = async (signal: AbortSignal): Promise<string | undefined> => {
    const object = await kubernetes.get('Lease', namespace, lease, signal);
    const spec = (object as { readonly spec?: unknown } | undefined)?.spec;
    const now = steady();
    const uid = object?.metadata.uid;
    const content = JSON.stringify(spec);
    // Another Lease, such as that of a cluster to which the address led for a moment, says nothing
    // of who renews this one.
    if (last === undefined || last.uid !== uid) renewedAt = -Infinity;
    else if (last.content !== content && now - last.at <= FRESH_MS) renewedAt = now;
    last = { uid, content, at: now };
    if (object === undefined) return `there is no Lease ${at}`;
    return holderOf({ object }) === '' ? `nobody holds Lease ${at}` : undefined;
  };
  return async (signal) => {
    try {
      const wasWatched = last !== undefined && steady() - last.at <= FRESH_MS;
      let missing = await readController(signal);
      const isFresh = (): boolean => steady() - renewedAt <= FRESH_MS;
      const began = steady();
      for (
        let ms = 0;
        missing === undefined && !isFresh() && !wasWatched && steady() - began < RENEWED_WITHIN_MS;
        ms = POLL_INTERVAL_MS
      ) {
        if (ms > 0) await pause(ms, signal);
        missing = await readController(signal);
      }
      if (missing !== undefined) return `${missing}, so no kube-ovn-controller is running`;
      return isFresh()
        ? undefined
        : `nobody renews Lease ${at}, so no kube-ovn-controller is running`;
    } catch (error) {
      signal.throwIfAborted();
      return `whether a kube-ovn-controller is running is not known: ${messageOf(error)}`;
    }
  };
}
