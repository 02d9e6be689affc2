import { holderOf } from '@ovn-steward/judgement/kube-ovn/lease-holder';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';

/**
 * Whether a kube-ovn-controller leads. `since`: when that began, on our clock where we saw it
 * begin, else as the Lease says; milliseconds since 1970, undefined of a Lease that was never
 * there. `released`: it has no holder, since the one there was stopped in good order.
 */
export type LeaseSeen =
  | { readonly is: 'absent' | 'released' | 'led'; readonly since: number | undefined }
  | { readonly is: 'unreadable'; readonly why: string };

/** What was seen of it the last time it could be read. */
interface LeaseObservation {
  /** Changes with every leader, and with nothing else. */
  readonly incarnation: string;
  readonly since: number | undefined;
}

interface LeaseSpec {
  readonly holderIdentity?: unknown;
  readonly acquireTime?: unknown;
  readonly leaseTransitions?: unknown;
}

/**
 * Reads the Lease by which kube-ovn-controllers settle who leads, and remembers who did. Never
 * throws: what cannot be read is said to be so.
 */
export function watchLease(
  kubernetes: Pick<Kubernetes, 'get'>,
  { namespace, lease }: Settings['executor']['kubeOvn'],
  clock: () => number,
): (signal: AbortSignal) => Promise<LeaseSeen> {
  let last: LeaseObservation | undefined;
  return async (signal) => {
    try {
      const object = await kubernetes.get('Lease', namespace, lease, signal);
      const spec = specOf(object);
      const now = clock();
      const incarnation =
        spec === undefined
          ? ''
          : JSON.stringify([
              object?.metadata.uid,
              spec.holderIdentity,
              spec.acquireTime,
              spec.leaseTransitions,
            ]);
      // We know the time of a change that we saw; at the first read only the Lease itself can say
      // it, and it cannot have begun later than now.
      const since =
        last === undefined ? begun(spec, now) : last.incarnation === incarnation ? last.since : now;
      last = { incarnation, since };
      return {
        is: object === undefined ? 'absent' : holderOf({ object }) === '' ? 'released' : 'led',
        since,
      };
    } catch (error) {
      return { is: 'unreadable', why: messageOf(error) };
    }
  };
}

/** @throws Error when it is no Lease. */
function specOf(object: KubernetesObject | undefined): LeaseSpec | undefined {
  if (object === undefined) return undefined;
  const { spec } = object as { readonly spec?: unknown };
  if (typeof spec !== 'object' || spec === null)
    throw new Error(`Lease ${object.metadata.name} has no spec`);
  return spec;
}

/**
 * When its leader began, or gave up (client-go writes acquireTime for both); now when it does not
 * say, or says a time to come.
 */
function begun(spec: LeaseSpec | undefined, now: number): number | undefined {
  if (spec === undefined) return undefined;
  const at = typeof spec.acquireTime === 'string' ? Date.parse(spec.acquireTime) : NaN;
  return Number.isNaN(at) ? now : Math.min(at, now);
}
