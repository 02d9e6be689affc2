import { parseRanges } from '@ovn-steward/shared/address';
import { IpRangeSet } from '@ovn-steward/shared/ip-range-set';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { addressCount } from '../rule-kit/subnet-usage';

const FIGURES = [
  { family: 'IPv4', is: 'in use', count: 'v4UsingIPs', list: 'v4UsingIPRange' },
  { family: 'IPv4', is: 'available', count: 'v4AvailableIPs', list: 'v4AvailableIPRange' },
  { family: 'IPv6', is: 'in use', count: 'v6UsingIPs', list: 'v6UsingIPRange' },
  { family: 'IPv6', is: 'available', count: 'v6AvailableIPs', list: 'v6AvailableIPRange' },
] as const;

/**
 * A pool of addresses whose status counts other addresses than it lists.
 *
 * Kube-OVN takes both of one set in its memory and writes them at once (`IPPoolStatistics`,
 * pkg/ipam/subnet.go, v1.12 to v1.17), so one of them was changed by somebody else. The pool that a
 * namespace's pods get their addresses from is chosen by the count of those available
 * (`acquireAddress`, pkg/controller/pod.go).
 */
export default defineRule({
  id: 'ip-pool-usage-drift',
  class: 'drift',
  severity: 'warning',
  subject: 'IPPool',
  reads: [],
  about:
    'The status of an IPPool counts other addresses than it lists. Pods may be refused an address of it, or sent to another pool. An edit of its spec, the next address that is given or freed in its Subnet, or a restart of the controller writes both again.',

  check(pool, _view) {
    const { status } = pool.object;
    if (!status || isBeingDeleted(pool)) return healthy;
    return violation(
      ...FIGURES.flatMap(({ family, is, count, list }) => {
        const counted = addressCount(status[count]);
        const listed = sizeOf(status[list]);
        if (counted === undefined || listed === undefined || counted === listed) return [];
        return [
          {
            summary: `IPPool ${pool.name} counts ${counted} ${family} addresses ${is}, and lists ${listed}`,
            part: { column: 'status', key: count },
            proof: [
              value(pool, `status.${count}`, String(counted)),
              value(pool, `addresses in status.${list}`, String(listed)),
            ],
          },
        ];
      }),
    );
  },
});

/** How many addresses are listed; undefined for what cannot be read. */
function sizeOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  try {
    return IpRangeSet.of(parseRanges(text)).size();
  } catch {
    return undefined;
  }
}
