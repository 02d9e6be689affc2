import { type Refusal, refusal } from '../actions/action';
import type { Kubernetes } from './kubernetes';

const [NAMESPACE, NAME] = ['kube-system', 'kube-ovn-controller'];
/** A leader renews its Lease every few seconds (kube-ovn.md §0.1): one that has not for so long is dead, clocks that differ allowed for. Milliseconds. */
const SILENT_MS = 600_000;

/**
 * Why what only a Kube-OVN controller may do is not done: one leads, perhaps outside the cluster, where nobody sees its pod. A Lease without holder, or not renewed
 * for ten minutes, is what an uninstalled one leaves.
 * @returns undefined when none leads. @throws Failure when the Lease cannot be read.
 */
export async function ledByController(kubernetes: Pick<Kubernetes, 'get'>, now: number, signal: AbortSignal): Promise<Refusal | undefined> {
  const lease = await kubernetes.get('Lease', NAMESPACE, NAME, signal);
  const { holderIdentity, renewTime } = ((lease as { readonly spec?: unknown } | undefined)?.spec ?? {}) as { readonly holderIdentity?: unknown; readonly renewTime?: unknown };
  if (lease === undefined || holderIdentity === undefined || holderIdentity === '') return undefined;
  const renewed = typeof renewTime === 'string' ? Date.parse(renewTime) : NaN;
  if (now - renewed > SILENT_MS) return undefined; // a time that cannot be read is none
  return refusal('in-use', `a kube-ovn-controller (${String(holderIdentity)}) holds Lease ${NAMESPACE}/${NAME}, renewed at ${String(renewTime)}: switches and routers are its own affair while it runs, and for ten minutes after`);
}
