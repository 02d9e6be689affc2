import { parentsOf } from '../world/ovn-rows';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, value } from '../rule-kit/facts';

/**
 * A port on another switch than its key `ls` names.
 *
 * Kube-OVN removes a port from the switch it finds in that key, without an error when it is not
 * there (kube-ovn.md §3.1, row 13): such a port is never collected. It comes from a port that moved
 * while an older one of its name stood.
 */
export default defineRule({
  id: 'port-on-wrong-switch',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: ['Logical_Switch'],
  about:
    'A port of Kube-OVN on another switch than its keys say. The controller cannot remove it, and its pod is in the wrong network. A restart does not move it.',

  check(port, view) {
    const ids = port.object.external_ids;
    const [parent, second] = parentsOf(port);
    if (ids?.['vendor'] !== 'kube-ovn' || !ids['ls'] || !parent || second) return healthy;
    if (view.identity('Logical_Switch', parent.uid)?.name === ids['ls']) return healthy;
    const holder = view.byUid('Logical_Switch', parent.uid);
    if (!holder) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;

    return violation({
      summary: `port ${port.name} is on switch ${holder.name}, but says it is on ${ids['ls']}`,
      owner,
      concerns: [holder],
      proof: [
        value(port, 'external_ids[ls]', ids['ls']),
        present(holder),
        value(holder, 'name', holder.name),
      ],
    });
  },
});
