import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { annotationOf, type Cluster, rowNamed } from '../cluster';
import type { Job } from './controller';
import { take } from './networks';
import { isAtLeast } from './releases';

/** By which a policy asks that what it drops is logged, and how many packets a second of that. */
export const LOGGED = 'ovn.kubernetes.io/enable_log';
export const RATE = 'ovn.kubernetes.io/acl_log_meter_rate';

/** As Kube-OVN calls the meter of what comes in (pkg/ovs/ovn-nb-acl.go). */
export const meterOf = (group: string): string => `${group}_to-lport_meter`;

/** Whether what the policy drops is logged by a meter: from v1.15 on. */
export const isMetered = ({ release }: Cluster, policy: KubernetesObject): boolean =>
  isAtLeast(release, 1, 15) &&
  annotationOf(policy, LOGGED) === 'true' &&
  annotationOf(policy, RATE) !== undefined;

/** Before the ACLs that name it (UpdateDefaultBlockACLOps). */
export function* tendMeter(cluster: Cluster, policy: KubernetesObject, group: string): Job {
  const name = meterOf(group);
  const isThere = rowNamed(cluster, 'Meter', name) !== undefined;
  if (isMetered(cluster, policy) === isThere) return;
  if (isThere) {
    if (take(cluster, 'Meter', name)) yield;
    return;
  }
  const { namespace = '', name: ofPolicy } = policy.metadata;
  const uid = cluster.random.uuid();
  const band = cluster.random.uuid();
  cluster.write(
    op.insert(
      'Meter_Band',
      { action: 'drop', rate: 10, burst_size: 1, external_ids: ours() },
      band,
    ),
    op.insert('Meter', { name, unit: 'pktps', bands: op.uuid(band), external_ids: ours() }, uid),
  );
  const owners = [{ kind: 'NetworkPolicy', namespace, name: ofPolicy }];
  cluster.labels.set({ kind: 'Meter', uid, name, by: 'kube-ovn', owners, addresses: [] });
  cluster.diary.push(`Meter ${name} made`);
  yield;
}
