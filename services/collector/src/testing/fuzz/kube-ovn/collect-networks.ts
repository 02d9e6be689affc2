import type { Controller, Job } from './controller';
import { dropSwitch } from './clean-subnet';
import { dropDhcp, NETWORKS, take } from './networks';
import { isAtLeast } from './releases';
import { vpcOf } from './vpc-status';

/**
 * Routers of no Vpc, and load balancers that no Vpc's status names and no rule is called as, once
 * after a start (gc.go, gcCustomLogicalRouter, gcLoadBalancer).
 */
export function* collectVpcs({ cluster }: Controller): Job {
  for (const label of [...cluster.labels.values()]) {
    if (label.kind === 'Logical_Router' && cluster.rows('Logical_Router').has(label.uid)) {
      if (!vpcOf(cluster, label.name) && take(cluster, 'Logical_Router', label.name)) yield;
    }
  }
  const kept = new Set(
    [...cluster.objects.all('Vpc')].flatMap((it) => Object.values(it['status'] ?? {})),
  );
  // v1.12 takes those of living rules, and never makes them again (§4.5).
  if (isAtLeast(cluster.release, 1, 13))
    for (const it of cluster.objects.all('OvnDnatRule')) kept.add(it.metadata.name);
  for (const label of [...cluster.labels.values()])
    if (label.kind === 'Load_Balancer' && cluster.rows('Load_Balancer').has(label.uid))
      if (!kept.has(label.name) && take(cluster, 'Load_Balancer', label.name)) yield;
}

/** Switches without a Subnet, once after a start, and up to v1.15 DHCP of none (§4.3). */
export function* collectSwitches({ cluster }: Controller): Job {
  for (const { name } of NETWORKS) {
    if (cluster.objects.get('Subnet', undefined, name)) continue;
    yield* dropSwitch(cluster, name);
    if (!isAtLeast(cluster.release, 1, 16) && dropDhcp(cluster, name)) yield;
  }
}
