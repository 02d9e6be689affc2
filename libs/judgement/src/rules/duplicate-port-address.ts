import { portAddresses, portsByAddress } from '../relations/ports-by-address';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, value } from '../rule-kit/facts';

/**
 * Ports that are examined for one address: a broken tool may give the same one to a thousand ports,
 * and all pairs of them show no more.
 */
const ENOUGH = 50;

/**
 * Two ports on one switch answering for the same address: packets go to either.
 *
 * It happens when an address is handed out again while the port of its last holder still stands
 * (kube-ovn.md §6.1, row 14). Reported once per pair, on the port whose name sorts last; virtual
 * ports share their address with real ones by design.
 */
export default defineRule({
  id: 'duplicate-port-address',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Switch_Port',
  reads: ['Logical_Switch'],
  about:
    'Two switch ports of one switch have the same address. Traffic for it reaches one or the other. A restart ends it only where one of them is left over and Kube-OVN collects it.',

  check(port, view) {
    if (!answers(port)) return healthy;
    const pairs = parentsOf(port).flatMap(({ uid }) =>
      portAddresses(port).flatMap((address) => {
        const rivals = view
          .related(portsByAddress, `${uid} ${address}`, ENOUGH)
          .filter((it) => it.uid !== port.uid && answers(it) && before(it, port));
        return rivals.length > 0
          ? [
              {
                address,
                rivals: [...rivals].sort((a, b) => (before(a, b) ? -1 : 1)),
                holder: view.byUid('Logical_Switch', uid),
              },
            ]
          : [];
      }),
    );
    return violation(
      ...pairs.map(({ address, rivals, holder }) => ({
        summary: `ports ${rivals[0]!.name} and ${port.name} both have ${address}${holder ? ` on switch ${holder.name}` : ''}`,
        part: { column: 'addresses', key: address },
        owner: view.ownership(port),
        concerns: rivals,
        proof: [
          value(port, 'addresses', (port.object.addresses ?? []).join(', ')),
          ...rivals.flatMap((rival) => [
            present(rival),
            value(rival, 'addresses', (rival.object.addresses ?? []).join(', ')),
          ]),
        ],
      })),
    );
  },
});

const answers = (port: Entity<'Logical_Switch_Port'>): boolean => (port.object.type ?? '') === '';

const before = (a: Entity, b: Entity): boolean =>
  a.name < b.name || (a.name === b.name && a.uid < b.uid);
