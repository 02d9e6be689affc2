import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { type Cluster, keyIn, rowNamed, uuidsOf } from '../cluster';
import { macOf } from '../kube-ovn/ipam';

/** A router to the outside that no Vpc stands for, and its ports. */
const ROUTER = 'edge';
const PORTS = ['edge-uplink-a', 'edge-uplink-b'] as const;

/** BFD sessions to the outside: made, followed by a route, and their router ports taken away. */
export function changeSession(cluster: Cluster): void {
  const { random } = cluster;
  const port = random.pick(PORTS);
  const router = rowNamed(cluster, 'Logical_Router', ROUTER)?.[0] ?? makeRouter(cluster);
  const [known] = rowNamed(cluster, 'Logical_Router_Port', port) ?? [];
  if (!known) return makePort(cluster, router, port);
  if (random.chance(0.35)) return dropPort(cluster, router, known, port);
  const session = random.maybe([...cluster.rows('BFD').keys()]);
  if (session === undefined || random.chance(0.3)) return makeSession(cluster, port);
  if (random.chance(0.5)) return changeRoute(cluster, router, session);
  if (isFollowed(cluster, session)) return;
  removedByOwner(cluster, session);
  cluster.write(op.remove('BFD', op.byUuid(session)));
  cluster.diary.push(`BFD session ${session} deleted`);
}

/** Beside harm to others, what an owner removes of his own may pass for more of it. */
const removedByOwner = (cluster: Cluster, ...uuids: readonly string[]): void =>
  uuids.forEach((it) => cluster.damage.remove(it, cluster.now));

function makeRouter({ random, write }: Cluster): string {
  const uuid = random.uuid();
  write(...add('Logical_Router', uuid, { name: ROUTER }));
  return uuid;
}

function makePort(cluster: Cluster, router: string, name: string): void {
  const nth = PORTS.indexOf(name as (typeof PORTS)[number]);
  const row = { name, mac: macOf(cluster), networks: `192.0.2.${16 * nth + 1}/28` };
  const holder = { table: 'Logical_Router', uuid: router, column: 'ports' };
  cluster.write(...add('Logical_Router_Port', cluster.random.uuid(), row, holder));
  cluster.diary.push(`router port ${name} made`);
}

/** As when its Vpc or external network goes: sessions are no part of a router. */
function dropPort(cluster: Cluster, router: string, uuid: string, name: string): void {
  removedByOwner(cluster, uuid, router);
  const taken = op.mutate('Logical_Router', op.byUuid(router), [
    ['ports', 'delete', op.uuid(uuid)],
  ]);
  cluster.write(taken);
  cluster.diary.push(`router port ${name} removed`);
}

/** Some are of a gateway that is gone, and its VPC with it. */
function makeSession({ random, rows, write, diary }: Cluster, given: string): void {
  const isOfGateway = random.chance(0.2);
  const port = isOfGateway ? 'bfd@tenant' : given;
  const peer = `192.0.2.${2 + random.int(12)}`;
  const isThere = [...rows('BFD').values()].some(
    (it) => it['logical_port'] === port && it['dst_ip'] === peer,
  );
  if (isThere) return;
  const ids = isOfGateway ? ours({ 'vpc-egress-gateway': 'shop/exit', af: '4' }) : op.map([]);
  write(op.insert('BFD', { logical_port: port, dst_ip: peer, external_ids: ids }, random.uuid()));
  diary.push(`BFD session to ${peer} on ${port}`);
}

const routesBy = (cluster: Cluster, session: string): string[] =>
  [...cluster.rows('Logical_Router_Static_Route')]
    .filter(([, row]) => uuidsOf(row['bfd']).includes(session))
    .map(([uuid]) => uuid);

/** Whether anything in the Northbound is steered by the session. */
export const isFollowed = (cluster: Cluster, session: string): boolean =>
  routesBy(cluster, session).length > 0;

/** Whether it says that it is a gateway's. */
export const isOfGateway = (cluster: Cluster, session: string): boolean =>
  keyIn(cluster.rows('BFD').get(session)!['external_ids'], 'vpc-egress-gateway') !== undefined;

function changeRoute(cluster: Cluster, router: string, session: string): void {
  const [known] = routesBy(cluster, session);
  const holder = { table: 'Logical_Router', uuid: router, column: 'static_routes' };
  if (known === undefined) {
    const hop = String(cluster.rows('BFD').get(session)!['dst_ip']);
    const row = { ip_prefix: '203.0.113.0/24', nexthop: hop, bfd: op.uuid(session) };
    cluster.write(...add('Logical_Router_Static_Route', cluster.random.uuid(), row, holder));
  } else {
    removedByOwner(cluster, known, router);
    cluster.write(
      op.mutate('Logical_Router', op.byUuid(router), [['static_routes', 'delete', op.uuid(known)]]),
    );
  }
  cluster.diary.push(`a route ${known === undefined ? 'follows' : 'left'} session ${session}`);
}
