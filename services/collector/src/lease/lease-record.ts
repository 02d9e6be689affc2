import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';

/** What a `coordination.k8s.io/v1` Lease says (LeaseSpec), as far as leading goes. */
export interface LeaseRecord {
  /** The holder; empty when there is none. */
  readonly holder: string;
  /**
   * How long a holder that falls silent keeps it, in milliseconds; undefined where the Lease does
   * not say.
   */
  readonly durationMs: number | undefined;
  /** How often it changed hands. */
  readonly transitions: number;
}

/** A Lease as it was read. */
export interface SeenLease {
  readonly record: LeaseRecord;
  /** Differs when anything was written in between. */
  readonly resourceVersion: string;
  /** All of it, to be written back with another spec: labels and fields of others stay. */
  readonly object: Readonly<Record<string, unknown>>;
}

/**
 * A Lease from the API server's JSON; undefined when it is none. What is missing in its spec is as
 * if it was never held.
 */
export function seenLease(object: unknown): SeenLease | undefined {
  if (!isRecord(object) || !isRecord(object['metadata'])) return undefined;
  const resourceVersion = object['metadata']['resourceVersion'];
  if (typeof resourceVersion !== 'string') return undefined;
  const spec = isRecord(object['spec']) ? object['spec'] : {};
  const { holderIdentity, leaseDurationSeconds, leaseTransitions } = spec;
  return {
    resourceVersion,
    object,
    record: {
      holder: typeof holderIdentity === 'string' ? holderIdentity : '',
      durationMs:
        isCount(leaseDurationSeconds) && leaseDurationSeconds > 0
          ? leaseDurationSeconds * 1000
          : undefined,
      transitions: isCount(leaseTransitions) ? leaseTransitions : 0,
    },
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** How a Lease is to be held: whose, for how long a silence, and since when. */
export interface LeaseTerms {
  readonly identity: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquiredAt: Date;
  readonly renewedAt: Date;
}

/**
 * The spec of a held Lease. Times are for people and for other tools: we decide nothing by them.
 */
export const heldSpec = ({
  identity,
  durationMs,
  transitions,
  acquiredAt,
  renewedAt,
}: LeaseTerms): Record<string, unknown> => ({
  holderIdentity: identity,
  leaseDurationSeconds: Math.max(1, Math.ceil(durationMs / 1000)),
  acquireTime: microTime(acquiredAt),
  renewTime: microTime(renewedAt),
  leaseTransitions: transitions,
});

/**
 * The spec of a Lease given back: without a holder, and with a short duration for readers that do
 * not check the holder.
 */
export const releasedSpec = (transitions: number, at: Date): Record<string, unknown> => ({
  leaseDurationSeconds: 1,
  acquireTime: microTime(at),
  renewTime: microTime(at),
  leaseTransitions: transitions,
});

/** Kubernetes' MicroTime: RFC 3339 with six digits after the second. */
const microTime = (at: Date): string => at.toISOString().replace(/Z$/, '000Z');
