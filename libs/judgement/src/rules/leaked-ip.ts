import { ownerText } from '../rule-kit/address-claimants';
import { addressInUse, otherHolder } from '../rule-kit/address-doubt';
import { RARE_CLAIMANT_KINDS } from '../rule-kit/claimants';
import { CLAIM_KINDS } from '../rule-kit/dead-claim';
import { referenceTo } from '../world/entity';
import { LEAK_KINDS, leakOf } from '../rule-kit/leaked-address';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, present, unchanged, value } from '../rule-kit/facts';

/**
 * An IP object of Kube-OVN's whose owner is deleted: an address that nothing uses and nothing else
 * can get.
 *
 * The decision follows kube-ovn.md §6.4. Deleting the object makes the controller remove the port
 * and free the address, so calling a live one leaked would cut a pod off: every possible owner is
 * checked, and any doubt keeps it. The port has no finding of its own: it is among what this one
 * concerns.
 */
export default defineRule({
  id: 'leaked-ip',
  class: 'leak',
  severity: 'warning',
  subject: 'IP',
  reads: [...LEAK_KINDS],
  consults: [...RARE_CLAIMANT_KINDS, ...CLAIM_KINDS],
  about:
    'An address record whose pod, machine or node no longer exists; the address cannot be given to anybody else until the record is deleted. If somebody who exists uses the same address, the finding names both and has no remedy until that user has another address. From v1.14.7 and v1.15.0 on a start of Kube-OVN’s controller deletes most of these records; before, its periodic collection takes only those with a port.',
  remedy: 'delete-ip',

  check(ip, view) {
    const leak = leakOf(ip, view);
    if (leak.is === 'kept') return healthy;
    if (leak.is === 'unknown') return unknown(leak.reason);
    const { claims, ports, deadClaims, gatewayRules } = leak;
    const isOwned =
      claims.declined.some((it) => it.kind === 'Subnet') &&
      (ip.object.metadata.ownerReferences ?? []).length > 0;
    const leading = gatewayRules.map((it) => `${it.kind} ${it.name}`).join(', ');
    const address =
      ip.object.spec?.ipAddress ||
      ip.object.spec?.v4IpAddress ||
      ip.object.spec?.v6IpAddress ||
      'no address';
    return violation({
      summary: `IP ${ip.name} keeps ${address} of subnet ${ip.object.spec?.subnet ?? '(none)'} for ${ownerText(ip)}, which no longer exists${deadClaims.map(({ clause }) => `; its port counts as up, yet ${clause}`).join('')}${leading && `; ${leading} still ${gatewayRules.length > 1 ? 'lead' : 'leads'} to the address`}`,
      concerns: ports,
      proof: [
        ...claims.absent.map((it) => absent(it.kind, it.key)),
        ...claims.declined.map((it) => present(it)),
        value(ip, 'spec.ipAddress', ip.object.spec?.ipAddress ?? ''),
        ...deadClaims.flatMap((it) => it.proof),
        ...gatewayRules.map((it) => present(it)),
        unchanged(ip),
      ],
      // The executor does not read the Southbound, and could not prove it. The address that a NAT
      // gateway's rule leads to would be reachable from outside under its next holder. It takes
      // nothing from an owner that lives.
      ...(deadClaims.length + gatewayRules.length === 0 &&
        !isOwned && {
          remedy: {
            action: 'delete-ip',
            target: referenceTo(ip),
            advice: `delete the IP object ${ip.name}: the Kube-OVN controller then removes the port of that name, if any, and frees ${address}`,
          },
        }),
    });
  },

  doubt: otherHolder,
  conflict: addressInUse,
});
