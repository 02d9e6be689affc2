import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf } from '@ovn-steward/judgement/kube-ovn/lease-holder';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { unguarded } from '@ovn-steward/systems/guarded-systems';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';

/**
 * A leader renews its Lease every few seconds (kube-ovn.md §0.1): one that has not for so long is
 * dead, clocks that differ allowed for. Milliseconds.
 */
const SILENT_MS = 600_000;
/** A leader renews its Lease at least once in this time, and who starts takes it; milliseconds. */
const RENEWED_WITHIN_MS = 6000;

/** Waits so many milliseconds. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * What each client's Lease said when it was twice found without a leader: while it still says the
 * same, no controller has renewed or taken it.
 */
const SILENT = new WeakMap<object, string>();

/**
 * Why what only rests on there being no Kube-OVN controller is not acted on: one leads, perhaps
 * outside the cluster, where its pod is not visible. An uninstalled controller leaves no Lease, one
 * without holder, or one not renewed for ten minutes; and it says the same some seconds later,
 * whatever our clock says.
 * @returns undefined when none leads.
 * @throws Failure when the Lease cannot be read.
 */
export async function ledByController(
  kubernetes: Pick<Kubernetes, 'get'>,
  { namespace, lease }: Settings['executor']['kubeOvn'],
  signal: AbortSignal,
  {
    now = Date.now,
    pause = (ms, until) => sleep(ms, undefined, { signal: until }),
  }: { readonly now?: () => number; readonly pause?: Pause } = {},
): Promise<string | undefined> {
  const at = `${namespace}/${lease}`;
  const client = unguarded(kubernetes);
  const readLease = async (): Promise<{
    readonly led: string | undefined;
    readonly content: string;
  }> => {
    const object = await kubernetes.get('Lease', namespace, lease, signal);
    const spec = (object as { readonly spec?: { renewTime?: unknown } } | undefined)?.spec ?? {};
    return {
      led: ledBy(holderOf(object && { object }), spec.renewTime, at, now()),
      content: JSON.stringify([at, object?.metadata.uid, spec]),
    };
  };
  const first = await readLease();
  if (first.led !== undefined || first.content === SILENT.get(client)) return first.led;
  await pause(RENEWED_WITHIN_MS, signal);
  const second = await readLease();
  if (second.led !== undefined) return second.led;
  if (second.content !== first.content)
    return `Lease ${at} changed a moment ago, so a kube-ovn-controller is running, and the clocks may differ: nothing that rests on there being none is done`;
  SILENT.set(client, second.content);
  return undefined;
}

function ledBy(holder: string, renewTime: unknown, at: string, now: number): string | undefined {
  if (holder === '') return undefined;
  const renewed = typeof renewTime === 'string' ? Date.parse(renewTime) : NaN;
  if (now - renewed > SILENT_MS) return undefined; // a time that cannot be read is none
  return `a kube-ovn-controller (${holder}) holds Lease ${at}, renewed at ${String(renewTime)}: this is its own affair while it runs, and for ten minutes after`;
}
