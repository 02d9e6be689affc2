import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { LeaseSeen } from './lease-seen';
import { minute } from './minute';

/** Another process may be deleting: nothing is done until then, in milliseconds since 1970. */
export interface Yielding {
  readonly until: number;
  /** For a person. */
  readonly why: string;
}

/** Signs that another process deletes. */
export interface Signs {
  readonly now: number;
  readonly lease: LeaseSeen;
  /**
   * When targets turned out to be deleted already, not by us; milliseconds since 1970, in any
   * order.
   */
  readonly takings: readonly number[];
  /**
   * When the Northbound was last found to be reached again: led by another server, restarted, or
   * cut off for a while; undefined when it never was.
   */
  readonly northboundMovedAt: number | undefined;
}

/** How long what was read of a Northbound may still come from a server that no longer leads. */
const AFTER_NORTHBOUND_MS = 60_000;
/** A missing answer is requested again by then. */
const AGAIN_MS = 10_000;

/**
 * Whether to stand back, and until when: while a kube-ovn-controller that began to lead may still
 * be cleaning up (it does so once, when it starts, without a grace), while another process removes
 * what we were about to, and after the Northbound moved. The longest of them; undefined when there
 * is none.
 */
export function competing(
  { now, lease, takings, northboundMovedAt }: Signs,
  settings: Settings['executor']['yield'],
): Yielding | undefined {
  const all = [
    byLease(lease, now, settings.afterLease),
    byTakings(takings, settings),
    northboundMovedAt === undefined
      ? undefined
      : {
          until: northboundMovedAt + AFTER_NORTHBOUND_MS,
          why: `the Northbound was connected to again at ${minute(northboundMovedAt)}, since its leader changed or it was lost; nothing is removed for a minute`,
        },
  ];
  return all
    .filter((it) => it !== undefined && it.until > now)
    .sort((a, b) => (b?.until ?? 0) - (a?.until ?? 0))[0];
}

const WHAT = {
  absent: 'the Lease of kube-ovn-controller went away',
  released: 'the kube-ovn-controller that led gave up',
  led: 'another kube-ovn-controller began to lead',
} as const;

function byLease(lease: LeaseSeen, now: number, afterLease: number): Yielding | undefined {
  switch (lease.is) {
    case 'unreadable':
      return {
        until: now + AGAIN_MS,
        why: `it is not known whether a kube-ovn-controller is starting (${lease.why}); nothing is removed until it is`,
      };
    case 'absent':
    case 'released':
    case 'led': {
      if (lease.since === undefined) return undefined;
      const until = lease.since + afterLease;
      return {
        until,
        why: `${WHAT[lease.is]} at ${minute(lease.since)}, and one that starts cleans up; nothing is removed until ${minute(until)}`,
      };
    }
  }
}

function byTakings(
  takings: readonly number[],
  { taken, afterTaken }: Settings['executor']['yield'],
): Yielding | undefined {
  const sorted = [...takings].sort((a, b) => b - a);
  const last = sorted[0];
  const first = sorted[taken - 1];
  if (last === undefined || first === undefined || last - first >= afterTaken) return undefined;
  const until = last + afterTaken;
  return {
    until,
    why: `${taken} things in a row were gone before they were to be removed, the last at ${minute(last)}: somebody else is removing, such as Kube-OVN's own collection; nothing is removed until ${minute(until)}`,
  };
}
