import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { holdersByAddress } from '../relations/holders-by-address';
import { defineRule, healthy, type Violation, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, absentRow, value } from '../rule-kit/facts';

/**
 * A Subnet whose status names an address of its own, of the interconnection of an underlay or of
 * the multicast querier, which nothing records any more.
 *
 * Some releases delete the records at each start (v1.14.7–v1.14.29, v1.15.0–v1.15.2), and all from
 * v1.14 collect the querier's port with its record after two passes, which was seen; as the status
 * has the address, the controller does not take it again (kube-ovn.md §4.17, rows 32 and 33). The
 * querier's address is then given to others while the switch sends its queries from it.
 */
export default defineRule({
  id: 'subnet-own-address-lost',
  class: 'missing',
  severity: 'warning',
  subject: 'Subnet',
  reads: [...HOLDER_KINDS, 'Logical_Switch_Port'],
  about:
    "The address that a Subnet's status names for its interconnection or its multicast querier has lost its IP object or port, so it is counted wrongly, and the querier's may be given to a pod. A restart leaves it so: turn u2oInterconnection or enableMulticastSnoop off and on again.",

  check(subnet, view) {
    if (isBeingDeleted(subnet)) return healthy;
    return violation(...ofInterconnection(subnet, view), ...ofQuerier(subnet, view));
  },
});

type Consulted = View<(typeof HOLDER_KINDS)[number] | 'Logical_Switch_Port'>;

/** Only while it is requested, as the controller does: an underlay without a logical gateway. */
function ofInterconnection(subnet: Entity<'Subnet'>, view: Consulted): Violation[] {
  const { spec, status } = subnet.object;
  const text = status?.u2oInterconnectionIP ?? '';
  const isRequested = spec?.u2oInterconnection === true && spec.logicalGateway !== true;
  const record = `u2o-interconnection.${spec?.vpc ?? ''}.${subnet.name}`;
  if (text === '' || !isRequested || (spec.vlan ?? '') === '' || (spec.vpc ?? '') === '') return [];
  if (view.presence('IP', record) !== 'absent' || holdersOf(text, subnet, view).length > 0)
    return [];
  return [
    {
      summary: `Subnet ${subnet.name} has ${text} for its interconnection, and there is no IP ${record}`,
      part: { column: 'status', key: 'u2oInterconnectionIP' },
      proof: [value(subnet, 'status.u2oInterconnectionIP', text), absent('IP', record)],
    },
  ];
}

function ofQuerier(subnet: Entity<'Subnet'>, view: Consulted): Violation[] {
  const text = subnet.object.status?.mcastQuerierIP ?? '';
  const name = `mcast-querier.${subnet.name}`;
  if (text === '' || subnet.object.spec?.enableMulticastSnoop !== true) return [];
  const kinds = (['IP', 'Logical_Switch_Port'] as const).filter(
    (it) => view.presence(it, name) === 'absent',
  );
  if (kinds.length === 0) return [];
  const others = kinds.includes('IP') ? holdersOf(text, subnet, view) : [];
  const missing = kinds.map((it) => (it === 'IP' ? 'IP' : 'port')).join(' and no ');
  return [
    {
      summary: `Subnet ${subnet.name} has ${text} for its multicast querier, and there is no ${missing} ${name}${others.map((it) => `; ${it.kind} ${it.name} has the address by now`).join('')}`,
      part: { column: 'status', key: 'mcastQuerierIP' },
      concerns: others,
      proof: [
        value(subnet, 'status.mcastQuerierIP', text),
        ...kinds.map((it) => (it === 'IP' ? absent(it, name) : absentRow(it, name))),
      ],
    },
  ];
}

/** The other objects that have one of the addresses recorded. A few are reported. */
const holdersOf = (text: string, subnet: Entity<'Subnet'>, view: Consulted): readonly Entity[] =>
  text
    .split(',')
    .flatMap((it) => tryParseIp(it.trim()) ?? [])
    .flatMap((it) => view.related(holdersByAddress, `${subnet.name} ${formatIp(it)}`, 3))
    .sort(ascendingBy((it) => it.name));
