import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { isAlive } from '../kube-ovn/pod-networks';
import { splitVip } from '../kube-ovn/vips';
import { holdersByAddress } from '../relations/holders-by-address';
import { present, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';

/** Named in a finding; the others are counted. */
const MOST_NAMED = 5;

/**
 * A backend of a checked address to which nothing is sent, since its load balancer has no entry that
 * says from which port it is checked.
 *
 * Kube-OVN writes the entries of a rule's backends together with the check. In v1.12.35, v1.13.15,
 * v1.14.0 to v1.14.39 and v1.15.0 to v1.15.4 it takes those of all other rules in the balancer away
 * at the same time (`LoadBalancerUpdateIPPortMapping`, pkg/ovs/ovn-nb-load_balancer.go), and up to
 * v1.14.12 also when one of them goes (`LoadBalancerDeleteIPPortMapping`). Where a vip has a check,
 * northd leaves backends without an entry out, and drops what is for the vip if none has one (seen
 * with OVN 23.03 and 25.03).
 *
 * Only a running pod with an address of the subnet that the check names is looked at: what else an
 * address may send to has no entry.
 */
export default defineRule({
  id: 'missing-ip-port-mapping',
  class: 'missing',
  severity: 'critical',
  subject: 'Load_Balancer_Health_Check',
  reads: ['Load_Balancer', 'IP', 'Pod'],
  consults: ['Vip', 'IptablesEIP', 'OvnEip'],
  about:
    'The address of a SwitchLBRule has a health check, and the load balancer no entry for some of its backends: OVN sends nothing to these, and drops all for the address if none has one. Several releases of Kube-OVN take the entries of one rule away when they write those of another in the same VPC, also at each start. Change the endpoints of the rule to have its entries written again, or upgrade: v1.14.40 and v1.15.5 keep them.',

  check(check, view) {
    const ids = check.object.external_ids ?? {};
    const subnet = Object.hasOwn(ids, 'switch_lb_subnet') ? ids['switch_lb_subnet']! : '';
    const [holder] = parentsOf(check);
    const balancer = holder && view.byUid('Load_Balancer', holder.uid);
    if (!balancer || subnet === '') return healthy;
    const vip = String(check.object['vip'] ?? '');
    const leftOut = withoutMapping(balancer, vip).flatMap((address) => {
      const pod = podAt(`${subnet} ${address}`, view);
      return pod ? [{ address, pod }] : [];
    });
    if (leftOut.length === 0) return healthy;
    const owner = view.ownership(check);
    if (owner.owner !== 'kube-ovn') return healthy;
    const named = leftOut.slice(0, MOST_NAMED).map((it) => `${it.address} (${keyOf(it.pod)})`);
    const more = leftOut.length - named.length;
    return violation({
      summary: `load balancer ${balancer.name} sends nothing to ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}, backends of ${vip}: the address has a health check, and no entry says from which port they are checked`,
      owner,
      concerns: [balancer],
      proof: [
        value(check, 'vip', vip),
        ...leftOut
          .slice(0, MOST_NAMED)
          .flatMap(({ address, pod }) => [
            value(balancer, `ip_port_mappings[${address}]`, ''),
            present(pod),
          ]),
        unchanged(balancer),
      ],
    });
  },
});

/** IPv4 addresses that the vip sends to and the balancer has no entry of; IPv6 is not checked. */
function withoutMapping({ object }: Entity<'Load_Balancer'>, vip: string): string[] {
  const { vips = {}, ip_port_mappings: mappings = {} } = object;
  const mapped = new Set(Object.keys(mappings).flatMap((it) => ipv4(it)));
  const backends = (Object.hasOwn(vips, vip) ? vips[vip]! : '').split(',');
  const addresses = backends.flatMap((it) => ipv4(splitVip(it.trim())?.ip ?? ''));
  return [...new Set(addresses)].filter((it) => !mapped.has(it)).sort();
}

/** One spelling of an IPv4 address; nothing for what is none. */
const ipv4 = (text: string): string[] => {
  const parsed = tryParseIp(text);
  return parsed?.family === 4 ? [formatIp(parsed)] : [];
};

/** The pod that has the address, and nothing else. */
function podAt(key: string, view: View<'IP' | 'Pod' | 'Vip' | 'IptablesEIP' | 'OvnEip'>) {
  const [holder, ...others] = view.related(holdersByAddress, key, 2);
  if (holder?.kind !== 'IP' || others.length > 0) return undefined;
  const { namespace = '', podName = '' } = (holder as Entity<'IP'>).object.spec ?? {};
  const pod = view.get('Pod', `${namespace}/${podName}`);
  return pod && isAlive(pod) ? pod : undefined;
}
