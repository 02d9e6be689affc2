import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Instant } from './instant';
import { idsOf, objectOf, pairs } from './reading';

type Ports = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const portNamed = (ports: Ports, name: string): boolean =>
  [...ports.values()].some((it) => it['name'] === name);

/** Of a kind whose finalizer alone is taken: it is being deleted, and nothing of it is left. */
export function isKeptTerminating(
  { northbound: { database } }: Instant,
  kind: string,
  { metadata: { name, deletionTimestamp } }: KubernetesObject,
): string | undefined {
  if (deletionTimestamp === undefined) return 'it is not being deleted';
  if (portNamed(database.rows('Logical_Switch_Port'), name)) return 'its port is still there';
  const isPool = kind === 'IPPool';
  return isPool &&
    [...database.rows('Address_Set').values()].some((it) => idsOf(it)['ippool'] === name)
    ? 'its address set is still there'
    : undefined;
}

/** The Vip of a subnet's health checks, of which there are none; every other Vip is somebody's. */
export function keptVip(
  { northbound: { database } }: Instant,
  { metadata: { name }, ...object }: KubernetesObject,
): string | undefined {
  const spec = object['spec'] as { subnet?: string; type?: string; v4ip?: string };
  if (spec.subnet !== name || spec.type !== '') return 'a person wants it';
  if (portNamed(database.rows('Logical_Switch_Port'), name)) return 'it has a port';
  const checks = [...database.rows('Load_Balancer_Health_Check').values()];
  if (checks.some((it) => idsOf(it)['switch_lb_subnet'] === name))
    return 'a health check of its subnet is there';
  const sources = [...database.rows('Load_Balancer').values()].flatMap((it) =>
    Object.values(pairs(it['ip_port_mappings'])),
  );
  return sources.some((it) => it.endsWith(`:${spec.v4ip}`))
    ? 'backends are checked from it'
    : undefined;
}

/**
 * A pod may only be restarted where it is in a subnet that its namespace has not, and somebody
 * makes another.
 */
export function keptRunning(
  instant: Instant,
  { metadata: { namespace = '', ...metadata } }: KubernetesObject,
): string | undefined {
  const subnetIn = (of: unknown): string | undefined =>
    (of as Readonly<Record<string, string>> | undefined)?.['ovn.kubernetes.io/logical_switch'];
  const bound = subnetIn(
    objectOf(instant, 'Namespace', undefined, namespace)?.metadata['annotations'],
  );
  const owner = (metadata['ownerReferences'] as readonly { kind: string }[] | undefined)?.[0];
  if (owner?.kind !== 'ReplicaSet') return 'nobody would recreate the pod';
  return bound === undefined || bound === subnetIn(metadata['annotations'])
    ? 'the pod is where it belongs'
    : undefined;
}
