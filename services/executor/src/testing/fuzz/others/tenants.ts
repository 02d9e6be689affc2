import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { GATEWAY, named, POLICIES, NAMESPACES, ROUTER, rowsOf, TENANT } from '../cluster';
import type { Move } from './move';

/**
 * A VPC of somebody's with the rows that stay when it goes: the group of its BFD port, and one of
 * its balancers.
 */
export const tenant: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  if (random.chance(0.6)) kubernetes.remove('Vpc', undefined, TENANT);
  else kubernetes.put({ kind: 'Vpc', metadata: { name: TENANT }, spec: {} });
  const chassis = random.uuid();
  if (random.chance(0.5))
    write(
      op.insert('HA_Chassis', { chassis_name: 'c1', priority: 1 }, chassis),
      ...add('HA_Chassis_Group', random.uuid(), {
        name: `bfd@${TENANT}`,
        ha_chassis: op.uuid(chassis),
        external_ids: ours({ lrp: `bfd@${TENANT}` }),
      }),
    );
  const balancer = `vpc-${TENANT}-tcp-load`;
  const standing = named(cluster, 'Load_Balancer', balancer);
  if (standing === undefined)
    write(
      ...add('Load_Balancer', random.uuid(), {
        name: balancer,
        protocol: 'tcp',
        options: op.map([['prefer_local_backend', 'false']]),
        external_ids: ours(),
      }),
    );
  else {
    const router = named(cluster, 'Logical_Router', ROUTER);
    if (router !== undefined && random.chance(0.3))
      write(
        op.mutate('Logical_Router', op.byUuid(router), [
          ['load_balancer', random.chance(0.3) ? 'insert' : 'delete', op.uuid(standing)],
        ]),
      );
  }
};

/** An egress gateway with its BFD session, which a route may follow. */
export const gateway: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const [namespace = '', name = ''] = GATEWAY.split('/');
  if (random.chance(0.5)) kubernetes.remove('VpcEgressGateway', namespace, name);
  else kubernetes.put({ kind: 'VpcEgressGateway', metadata: { name, namespace }, spec: {} });
  const [session] = random.maybe(rowsOf(cluster, 'BFD')) ?? [];
  const router = named(cluster, 'Logical_Router', ROUTER);
  if (session !== undefined && router !== undefined && random.chance(0.2))
    write(
      ...add(
        'Logical_Router_Static_Route',
        random.uuid(),
        {
          ip_prefix: `10.94.${random.int(9)}.0/24`,
          nexthop: '10.95.0.2',
          bfd: op.uuid(session),
          external_ids: ours(),
        },
        { table: 'Logical_Router', uuid: router, column: 'static_routes' },
      ),
    );
  else
    write(
      ...add('BFD', random.uuid(), {
        logical_port: `bfd@${TENANT}`,
        dst_ip: `10.95.0.${2 + random.int(4)}`,
        external_ids: ours({ af: '4', 'vpc-egress-gateway': GATEWAY }),
      }),
    );
};

/** The meter of a policy's log, and a rule that names it. */
export const meter: Move = (cluster) => {
  const { random, write } = cluster;
  const name = `${random.pick(POLICIES)}.${random.pick(NAMESPACES)}_to-lport_meter`;
  const [acl] = random.maybe(rowsOf(cluster, 'ACL')) ?? [];
  if (acl !== undefined && random.chance(0.25))
    return void write(op.update('ACL', op.byUuid(acl), { meter: name, log: true }));
  const band = random.uuid();
  write(
    op.insert('Meter_Band', { action: 'drop', rate: 10 }, band),
    ...add('Meter', random.uuid(), {
      name,
      unit: 'pktps',
      bands: op.uuid(band),
      external_ids: ours(),
    }),
  );
};
