import { isBeingDeleted } from '../kube-ovn/deletion';
import { podNetworks } from '../kube-ovn/pod-networks';
import { BUILT_IN_GROUPS, memberKeysOf } from '../kube-ovn/security-groups';
import { present, value } from '../rule-kit/facts';
import { podsOfPort } from '../rule-kit/pods-of-port';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { type Entity, keyOf } from '../world/entity';

const ASKS = 'kubernetes.io/security_groups';

/**
 * A port that is in a security group which its pod does not name.
 *
 * The controller compares a pod's annotation with the one before (`enqueueUpdatePod`,
 * pkg/controller/pod.go, v1.12 to v1.17): one that changed while it was away it never sees. The port
 * keeps the key, and by that it stays in the group and among the addresses of it over each start
 * (`syncSgLogicalPort`; seen with v1.14.41 and v1.16.2). A group that does not exist is
 * `stale-security-group-key`'s. What a machine's launchers ask for counts for its port.
 */
export default defineRule({
  id: 'stale-security-group-member',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: ['Pod', 'SecurityGroup', 'Logical_Switch'],
  about:
    "The port of a running pod is in a SecurityGroup that the pod does not name any more: the group's rules still filter its traffic, and other groups let it through as one of this. A restart of the controller leaves it so. Delete the pod, or name the group in its annotation and take it out again while the controller runs.",

  check(port, view) {
    const named = memberKeysOf(port.object.external_ids ?? {}).filter(
      ({ group }) => !BUILT_IN_GROUPS.has(group),
    );
    const pods = named.length === 0 ? [] : podsOfPort(port, view);
    if (pods.length === 0 || pods.some((it) => it.object.status?.phase !== 'Running'))
      return healthy;
    const asked = new Set(pods.flatMap((it) => groupsAsked(it, port)));
    const stale = named.flatMap(({ key, group }) => {
      const found = asked.has(group) ? undefined : view.get('SecurityGroup', group);
      return found && !isBeingDeleted(found) ? [{ key, found }] : [];
    });
    const owner = stale.length === 0 ? undefined : view.ownership(port);
    if (owner?.owner !== 'kube-ovn') return healthy;
    const names = pods.map(keyOf).sort().join(' and ');
    return violation(
      ...stale.map(({ key, found }) => ({
        summary: `port ${port.name} is in SecurityGroup ${found.name}, which ${pods.length > 1 ? 'pods' : 'pod'} ${names} ${pods.length > 1 ? 'do' : 'does'} not name`,
        owner,
        part: { column: 'external_ids', key },
        concerns: [found, ...pods],
        proof: [
          value(port, `external_ids[${key}]`, 'true'),
          present(found),
          ...pods.map((it) =>
            value(it, 'security groups asked for', groupsAsked(it, port).join(', ')),
          ),
        ],
      })),
    );
  },
});

/**
 * The groups that the pod names for the network of the port, by the name of its provider, or by that
 * of the attachment where one is used for several interfaces.
 */
function groupsAsked(pod: Entity<'Pod'>, port: Entity<'Logical_Switch_Port'>): string[] {
  const { annotations = {} } = pod.object.metadata;
  const groups = podNetworks(pod)
    .filter(({ portName }) => portName === port.name)
    .flatMap(({ provider }) => [provider, provider.split('.').slice(0, 3).join('.')])
    .flatMap((it) => (annotations[`${it}.${ASKS}`] ?? '').split(','))
    .map((it) => it.trim());
  return [...new Set(groups)].filter((it) => it !== '');
}
