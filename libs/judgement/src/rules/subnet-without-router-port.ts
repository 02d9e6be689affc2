import { isOvnProvider, providerOf } from '../readiness/subnet-waits-for';
import { switchesByName } from '../relations/switches-by-name';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { absentRow, present, value } from '../rule-kit/facts';

const EXTERNAL = 'ovn.kubernetes.io/vpc_external';

/**
 * A ready subnet of a VPC whose switch and router are not joined: the router port is absent, or the
 * switch's port that leads to it.
 *
 * A Vpc or Subnet that is created again too early loses it (kube-ovn.md §7.3, row 45). The
 * controller then fails at the router port each time it handles the Subnet, and its conditions stay
 * as they were (§7.2). A subnet with a physical gateway has neither port, unless it is
 * interconnected.
 */
export default defineRule({
  id: 'subnet-without-router-port',
  class: 'missing',
  severity: 'critical',
  subject: 'Subnet',
  reads: ['Vpc', 'Logical_Switch', 'Logical_Switch_Port', 'Logical_Router_Port'],
  about:
    "A ready Subnet whose switch is not joined to its VPC's router: its pods reach nothing outside the subnet. An edit of its spec or a restart of the controller brings back the switch's port; Kube-OVN does not create the router port of an existing Subnet again, so add it by hand, with its gateway address and keys.",

  check(subnet, view) {
    if (!isReady(subnet) || !hasRouterPort(subnet)) return healthy;
    const vpc = view.get('Vpc', subnet.object.spec?.vpc ?? '');
    const router = vpc?.object.status?.router ?? '';
    if (!vpc || router === '' || isLeaving(vpc) || !view.has(switchesByName, subnet.name))
      return healthy;
    const pair = [
      ['Logical_Router_Port', `${router}-${subnet.name}`, 'router port'],
      ['Logical_Switch_Port', `${subnet.name}-${router}`, 'switch port'],
    ] as const;
    const missing = pair.filter(([kind, name]) => view.presence(kind, name) === 'absent');
    if (missing.length === 0) return healthy;
    return violation({
      summary: `Subnet ${subnet.name} is ready, and its switch is not joined to router ${router}: there is no ${missing.map(([, name, what]) => `${what} ${name}`).join(', and no ')}`,
      proof: [
        present(subnet),
        value(vpc, 'status.router', router),
        ...missing.map(([kind, name]) => absentRow(kind, name)),
      ],
    });
  },
});

const isReady = ({ object: { metadata, status } }: Entity<'Subnet'>): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some((it) => it.type === 'Ready' && it.status === 'True');

/** The mirror of somebody else's router has ports of its own names. */
const isLeaving = ({ object: { metadata } }: Entity<'Vpc'>): boolean =>
  metadata.deletionTimestamp !== undefined || metadata.labels?.[EXTERNAL] === 'true';

/** Whether Kube-OVN makes the pair for it (kube-ovn.md §7.2). */
function hasRouterPort({ object }: Entity<'Subnet'>): boolean {
  const { spec, status } = object;
  if (!isOvnProvider(providerOf(object)) || (spec?.cidrBlock ?? '') === '') return false;
  return (
    (spec?.vlan ?? '') === '' ||
    spec?.logicalGateway === true ||
    (spec?.u2oInterconnection === true && (status?.u2oInterconnectionIP ?? '') !== '')
  );
}
