import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { has, named, NODES, putNode, putSubnet, ROUTER, SUBNETS } from '../cluster';
import type { Move } from './move';

export const nodes: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const name = random.pick(NODES);
  if (!has(cluster, 'Node', name)) putNode(cluster, name);
  else if (random.chance(0.5)) kubernetes.remove('Node', undefined, name);
  const router = named(cluster, 'Logical_Router', ROUTER);
  if (router !== undefined && random.chance(0.5))
    write(
      ...add(
        'Logical_Router_Policy',
        random.uuid(),
        {
          priority: 30000,
          match: `ip4.dst == 192.168.0.${1 + NODES.indexOf(name)}`,
          action: 'allow',
          external_ids: ours({ node: name, 'address-family': '4' }),
        },
        { table: 'Logical_Router', uuid: router, column: 'policies' },
      ),
    );
};

/** A subnet goes by force, and its switch with it or not; or it is there again. */
export const subnets: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const name = random.pick(SUBNETS);
  if (!has(cluster, 'Subnet', name)) {
    putSubnet(cluster, name);
    if (named(cluster, 'Logical_Switch', name) === undefined)
      write(...add('Logical_Switch', random.uuid(), { name, external_ids: ours() }));
  } else if (random.chance(0.3)) {
    kubernetes.remove('Subnet', undefined, name);
    const uuid = named(cluster, 'Logical_Switch', name);
    if (uuid !== undefined && random.chance(0.7))
      write(op.remove('Logical_Switch', op.byUuid(uuid)));
  }
};
