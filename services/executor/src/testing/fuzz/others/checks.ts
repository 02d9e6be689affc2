import { operation as op } from '@ovn-steward/ovsdb';
import { add } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { BALANCER, NAMESPACES, named, PODS, rowsOf, SERVICES, SUBNETS } from '../cluster';
import type { Move } from './move';

/** The health check of a service's address, or from which port a backend is checked. */
export const check: Move = (cluster) => {
  const { random, write } = cluster;
  const balancer = named(cluster, 'Load_Balancer', BALANCER);
  if (balancer === undefined) return;
  const [, ip, port] = random.pick(SERVICES);
  if (random.chance(0.5)) {
    write(
      ...add(
        'Load_Balancer_Health_Check',
        random.uuid(),
        {
          vip: `${ip}:${port}`,
          external_ids: op.map([['switch_lb_subnet', random.pick(SUBNETS)]]),
        },
        { table: 'Load_Balancer', uuid: balancer, column: 'health_check' },
      ),
    );
    return;
  }
  const pod = `${random.pick(PODS)}.${random.pick(NAMESPACES)}`;
  // A backend the balancer has, or one it had.
  const row = rowsOf(cluster, 'Load_Balancer').find(([uuid]) => uuid === balancer)![1];
  const backends = [...JSON.stringify(row['vips']).matchAll(/"([\d.]+):8080"/g)].map(
    (it) => it[1]!,
  );
  const backend =
    random.chance(0.4) && backends.length > 0
      ? random.pick(backends)
      : `10.16.${random.int(250)}.${2 + random.int(250)}`;
  write(
    op.mutate('Load_Balancer', op.byUuid(balancer), [
      ['ip_port_mappings', 'insert', op.map([[backend, `${pod}:10.16.0.254`]])],
    ]),
  );
};
