import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { annotationOf, type Cluster, keyIn, rowNamed, uuidsOf } from '../cluster';
import { make } from './networks';

/** The balancer of the default VPC; that of TCP stands for all six. */
export const BALANCER = 'cluster-tcp-loadbalancer';
const VIP = 'ovn.kubernetes.io/switch_lb_vip';
/** From which network backends of rules are checked, and from which address. */
const CHECKED_IN = 'apps';
const CHECKED_FROM = '10.17.0.210';

type Pairs = readonly (readonly [string, string])[];

export interface Balancer {
  readonly uid: string;
  readonly vips: Pairs;
  readonly mappings: Pairs;
  readonly checks: readonly string[];
}

export function balancer(cluster: Cluster): Balancer | undefined {
  const [uid, row] = rowNamed(cluster, 'Load_Balancer', BALANCER) ?? [];
  if (uid === undefined || row === undefined) return undefined;
  const pairs = (column: string): Pairs => (row[column] as [string, Pairs])[1];
  return {
    uid,
    vips: pairs('vips'),
    mappings: pairs('ip_port_mappings'),
    checks: uuidsOf(row['health_check']),
  };
}

export function makeBalancer(cluster: Cluster): void {
  make(cluster, {
    table: 'Load_Balancer',
    name: BALANCER,
    row: {
      name: BALANCER,
      protocol: 'tcp',
      options: op.map([['prefer_local_backend', 'false']]),
      external_ids: cluster.release.tagsAll ? ours() : op.map([]),
    },
    owner: { kind: 'Vpc', name: 'ovn-cluster' },
  });
}

interface Ports {
  readonly ports: readonly { readonly port: number }[];
  readonly clusterIP?: string;
}

/** The one vip that a Service of a history has. */
export function vipOf(service: KubernetesObject): string {
  const { ports, clusterIP } = service['spec'] as Ports;
  return `${annotationOf(service, VIP) ?? clusterIP}:${ports[0]!.port}`;
}

/** Where it leads; undefined without endpoints. */
export function backendOf(
  { objects }: Cluster,
  { metadata }: KubernetesObject,
): string | undefined {
  const slice = objects.get('EndpointSlice', metadata.namespace, `${metadata.name}-1`);
  const { endpoints = [], ports = [] } = (slice ?? {}) as {
    endpoints?: readonly { addresses: readonly string[] }[];
    ports?: readonly { port: number }[];
  };
  return endpoints[0] && `${endpoints[0].addresses[0]}:${ports[0]!.port}`;
}

export const checkOf = (cluster: Cluster, { checks }: Balancer, vip: string): string | undefined =>
  checks.find((it) => cluster.rows('Load_Balancer_Health_Check').get(it)?.['vip'] === vip);

const set = (cluster: Cluster, uid: string, columns: Readonly<Record<string, Pairs>>): void =>
  cluster.write(
    op.update(
      'Load_Balancer',
      op.byUuid(uid),
      Object.fromEntries(Object.entries(columns).map(([name, it]) => [name, op.map([...it])])),
    ),
  );

const without = (pairs: Pairs, key: string): Pairs => pairs.filter(([it]) => it !== key);

export function putVip(cluster: Cluster, { uid, vips }: Balancer, vip: string, to: string): void {
  set(cluster, uid, { vips: [...without(vips, vip), [vip, to]] });
  cluster.diary.push(`vip ${vip} leads to ${to}`);
}

/** Takes the key alone: its check and where it is checked from stay. */
export function dropVip(cluster: Cluster, { uid, vips }: Balancer, vip: string): void {
  set(cluster, uid, { vips: without(vips, vip) });
  cluster.diary.push(`vip ${vip} removed`);
}

/** From which port its backend is checked, of which nothing is known here; then the check. */
export function putMapping(cluster: Cluster, loadBalancer: Balancer, backend: string): void {
  const [address] = backend.split(':') as [string];
  const mapping = [address, `backend.shop:${CHECKED_FROM}`] as const;
  set(cluster, loadBalancer.uid, {
    ip_port_mappings: [...without(loadBalancer.mappings, address), mapping],
  });
}

export function putCheck(cluster: Cluster, { uid }: Balancer, vip: string): void {
  const ids = op.map([['switch_lb_subnet', CHECKED_IN]]);
  const holder = { table: 'Load_Balancer', uuid: uid, column: 'health_check' };
  const row = { vip, external_ids: ids };
  cluster.write(...add('Load_Balancer_Health_Check', cluster.random.uuid(), row, holder));
  cluster.diary.push(`vip ${vip} is checked`);
}

export function dropMapping(
  cluster: Cluster,
  { uid, vips, mappings }: Balancer,
  vip: string,
): void {
  const address = keyIn(['map', vips], vip)?.split(':')[0] ?? '';
  set(cluster, uid, { ip_port_mappings: without(mappings, address) });
}

export function dropCheck(cluster: Cluster, { uid }: Balancer, check: string): void {
  const change = [['health_check', 'delete', op.uuid(check)]] as const;
  cluster.write(op.mutate('Load_Balancer', op.byUuid(uid), change));
}
