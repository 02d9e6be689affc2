import { portsByGroup } from '../relations/ports-by-group';
import { CLAIMANT_KINDS, RARE_CLAIMANT_KINDS } from '../rule-kit/claimants';
import { leftByUninstall, UNINSTALL_KINDS } from '../rule-kit/left-by-uninstall';
import { servedWorkload } from '../rule-kit/served-workload';
import { defineRule, unknown } from '../rule-kit/rule';

/**
 * A port group that a Kube-OVN which was taken away left behind (kube-ovn.md §7.4). Its ACLs go
 * with it, so a workload whose port it lists keeps it: what filters that workload's traffic, or
 * lets it through, is not garbage.
 */
export default defineRule({
  id: 'uninstalled-port-group',
  class: 'garbage',
  severity: 'info',
  subject: 'Port_Group',
  reads: [...UNINSTALL_KINDS, 'ACL'],
  consults: [...CLAIMANT_KINDS, ...RARE_CLAIMANT_KINDS],
  about:
    "A port group of Kube-OVN's in a cluster that has no Vpc, Subnet or controller of it any more.",
  remedy: 'delete-port-group',

  check(row, view) {
    const verdict = leftByUninstall(row, view, 'delete-port-group');
    if (verdict.is !== 'violation') return verdict;
    const [served] = view
      .related(portsByGroup, row.uid)
      .flatMap((it) => servedWorkload(it, view) ?? [])
      .sort();
    return served === undefined
      ? verdict
      : unknown(
          `Kube-OVN was taken away, yet port group ${row.name} lists a port of ${served}, which exists or may exist`,
        );
  },
});
