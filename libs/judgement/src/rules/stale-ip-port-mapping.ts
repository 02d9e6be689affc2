import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { referenceTo } from '../world/entity';
import { splitVip } from '../kube-ovn/vips';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, absentRow, unchanged, value } from '../rule-kit/facts';

/**
 * An entry of a load balancer that says from which port a backend is checked, where there is no
 * such port and no such backend.
 *
 * northd skips a mapping to a port it does not know. Kube-OVN writes one together with the vip that
 * sends to the backend, so it writes it again when the backend returns (kube-ovn.md §3.5, row 61).
 * While a vip still sends to the address its Endpoints have the last word, and the mapping stays.
 */
export default defineRule({
  id: 'stale-ip-port-mapping',
  class: 'garbage',
  severity: 'info',
  subject: 'Load_Balancer',
  reads: ['Logical_Switch_Port', 'IP'],
  about:
    'An entry in a load balancer for the checks of a backend, whose port no longer exists and to which no address of the balancer sends.',
  remedy: 'remove-ip-port-mapping',

  check(balancer, view) {
    const mappings = Object.entries(balancer.object.ip_port_mappings ?? {}).map(
      ([backend, is]) => ({ backend, is, port: is.split(':', 1)[0]! }),
    );
    // Where the record of the address is left, the controller makes the port again.
    const lost = mappings.filter(
      ({ port }) =>
        port !== '' &&
        view.presence('Logical_Switch_Port', port) === 'absent' &&
        view.presence('IP', port) === 'absent',
    );
    if (lost.length === 0) return healthy;
    const owner = view.ownership(balancer);
    if (owner.verdict !== 'candidate') return healthy;
    const backends = new Set<string>();
    for (const targets of Object.values(balancer.object.vips ?? {})
      .flatMap((list) => list.split(','))
      .map((text) => text.trim())
      .filter((text) => text !== '')) {
      const address = canonical(splitVip(targets)?.ip ?? '');
      if (address === undefined)
        return unknown(
          `load balancer ${balancer.name} sends to ${JSON.stringify(targets)}, which is no address and port`,
        );
      backends.add(address);
    }
    const stale = lost.filter(({ backend }) => {
      const address = canonical(backend.replace(/^\[(.*)\]$/s, '$1'));
      return address !== undefined && !backends.has(address);
    });

    return violation(
      ...stale.map(({ backend, is, port }) => ({
        summary: `load balancer ${balancer.name} would check backend ${backend} from port ${port}, and has neither`,
        owner,
        part: { column: 'ip_port_mappings', key: backend },
        proof: [
          absentRow('Logical_Switch_Port', port),
          absent('IP', port),
          value(balancer, 'vips that send to it', '0'),
          value(balancer, `ip_port_mappings[${backend}]`, is),
          unchanged(balancer),
        ],
        remedy: {
          action: 'remove-ip-port-mapping',
          target: referenceTo(balancer, { column: 'ip_port_mappings', key: backend }),
          advice: `remove the key ${backend} from the balancer's ip_port_mappings; the balancer stays`,
        },
      })),
    );
  },
});

/** One spelling of an address; undefined for what is none. */
function canonical(text: string): string | undefined {
  const parsed = tryParseIp(text);
  return parsed && formatIp(parsed);
}
