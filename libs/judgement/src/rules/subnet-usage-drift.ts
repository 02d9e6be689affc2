import { heldAddresses } from '../tallies/held-addresses';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { countExplained } from '../rule-kit/count-explained';
import {
  countedIn,
  excludedRanges,
  ADDRESS_FAMILIES,
  type AddressFamily,
  addressCount,
} from '../rule-kit/subnet-usage';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { value } from '../rule-kit/facts';

/**
 * A subnet whose status counts other than the distinct addresses that are held in it.
 *
 * Kube-OVN counts records, not addresses, and sometimes does not recount: a subnet that appears
 * full sends pods elsewhere, one that appears used never finishes its deletion (kube-ovn.md §6.5,
 * row 37). An IP object's address in `excludeIps` is not counted, by Kube-OVN or here, that of a
 * Vip or external address is; a dual-stack record counts once for both families, so the counts of a
 * dual-stack subnet are one number. It selects IP objects by a label that a reservation made by
 * hand does not get (seen; pkg/controller/subnet_status.go, calcSubnetStatusIP). Of two counts that
 * are wrong the IPv4 one is reported.
 */
export default defineRule({
  id: 'subnet-usage-drift',
  class: 'drift',
  severity: 'warning',
  subject: 'Subnet',
  reads: [...HOLDER_KINDS],
  about:
    "A subnet's count of used addresses differs from the addresses that are really held; the finding says what shows of the difference. Pods may be refused or sent to another subnet. A restart counts anew, by objects: an address with two records counts twice again, and an IP object that a person made without the label `<subnet>: ''` not at all until it has it.",

  check(subnet, view) {
    const { spec, status } = subnet.object;
    if (!spec?.cidrBlock || !status) return healthy;
    const excluded = excludedRanges(subnet);
    if (!excluded)
      return unknown(
        `subnet ${subnet.name} has excludeIps that are no addresses: ${(spec.excludeIps ?? []).join(', ')}`,
      );
    const held = view.tallied(heldAddresses, subnet.name);
    const families: readonly AddressFamily[] =
      spec.protocol === 'Dual' ? ADDRESS_FAMILIES : [spec.protocol === 'IPv6' ? 'v6' : 'v4'];
    for (const family of families) {
      const counted = addressCount(status[`${family}usingIPs`]);
      if (counted === undefined)
        return unknown(
          `subnet ${subnet.name} has ${family}usingIPs ${JSON.stringify(status[`${family}usingIPs`] ?? null)}, which is no count`,
        );
      const really = countedIn(subnet, family, held, excluded);
      if (counted === really) continue;
      const why = countExplained(subnet, family, held, counted < really);
      const isSecond = spec.protocol === 'Dual' && family === 'v6';
      const said = isSecond
        ? `counts ${counted} IPv6 addresses in use, and should count ${really} as for IPv4, since each holder of an address counts for both`
        : `counts ${counted} addresses in use, but ${really} are held`;
      return violation({
        summary: `subnet ${subnet.name} ${said}${why.length > 0 ? `: ${why.join(', ')}` : ''}`,
        sense: counted > really ? 'more' : 'less',
        proof: [
          value(subnet, `status.${family}usingIPs`, String(counted)),
          value(
            subnet,
            'addresses held by IP, Vip, IptablesEIP and OvnEip objects',
            String(really),
          ),
        ],
      });
    }
    return healthy;
  },
});
