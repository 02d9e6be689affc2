import { operation as op } from '@ovn-steward/ovsdb';
import { type Cluster, keyIn, rowNamed, ROUTER } from '../cluster';
import type { Controller, Job } from './controller';
import * as networks from './networks';
import { noteSubnets, vpcOf } from './vpc-status';
import { retryVpcs } from './vpcs';

/** Policies that lead to the subnet, by uuid. */
export const policiesTo = (cluster: Cluster, name: string): string[] =>
  [...cluster.rows('Logical_Router_Policy')]
    .filter(
      ([, row]) => row['priority'] === 31_000 && keyIn(row['external_ids'], 'subnet') === name,
    )
    .map(([uid]) => uid);

/** From memory and once: policy, DHCP, switch, then the pair (handleDeleteSubnet). */
export function* clean(controller: Controller, { name, vpc }: networks.Network): Job {
  const { cluster } = controller;
  yield* noteSubnets(controller, vpc);
  for (const uid of policiesTo(cluster, name)) {
    for (const [router, row] of cluster.rows('Logical_Router'))
      if (JSON.stringify(row['policies']).includes(uid))
        cluster.write(
          op.mutate('Logical_Router', op.byUuid(router), [['policies', 'delete', op.uuid(uid)]]),
        );
    cluster.diary.push(`the policy to ${name} removed`);
    yield;
  }
  yield* dropSwitch(cluster, name);
  const router = vpcOf(cluster, vpc) ? vpc : ROUTER;
  const holder = { table: 'Logical_Router', name: router, column: 'ports' };
  if (networks.take(cluster, 'Logical_Router_Port', `${router}-${name}`, holder)) yield;
  retryVpcs(controller);
}

export function* dropSwitch(cluster: Cluster, name: string): Job {
  if (!rowNamed(cluster, 'Logical_Switch', name)) return;
  if (networks.dropDhcp(cluster, name)) yield;
  if (networks.take(cluster, 'Logical_Switch', name)) yield;
}
