import { switchesByName } from '../relations/switches-by-name';
import { referenceTo } from '../world/entity';
import { absent, absentRow, defineRule, healthy, unchanged, unknown, unreferenced, value, violation } from './rule';

/**
 * DHCP options of a subnet that is gone, with its switch and all ports.
 *
 * From v1.16 on the controller removes them only when it handles the subnet's deletion itself (kube-ovn.md §4.3, row 47).
 */
export default defineRule({
  id: 'orphaned-dhcp-options',
  class: 'garbage',
  severity: 'info',
  subject: 'DHCP_Options',
  reads: ['Subnet', 'Logical_Switch', 'Logical_Switch_Port'],
  about: 'DHCP options of a Subnet that no longer exists. No port uses them.',
  remedy: 'delete-dhcp-options',

  check(options, view) {
    const subnet = options.object.external_ids?.['ls'] ?? '';
    if (subnet === '' || view.presence('Subnet', subnet) === 'present' || view.has(switchesByName, subnet)) return healthy;
    const owner = view.ownership(options);
    if (owner.verdict !== 'candidate') return healthy;
    const user = view.referrers(options)[0];
    if (user) return unknown(`neither Subnet nor switch ${subnet} exists, yet port ${user.name} uses its DHCP options`);

    return violation({
      says: `DHCP options ${String(options.object['cidr'] ?? '')} are of Subnet ${subnet}, which no longer exists`,
      owner,
      proof: [absent('Subnet', subnet), absentRow('Logical_Switch', subnet), unreferenced(options), value(options, 'external_ids', JSON.stringify(options.object.external_ids)), unchanged(options)],
      remedy: { action: 'delete-dhcp-options', target: referenceTo(options), advice: 'delete the DHCP options; no port has them' },
    });
  },
});
