import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { annotate, annotationOf, type Cluster, rowNamed, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { isLive, keepersOf } from './pod';

/** Of Kube-OVN's policies for pods with a gateway of their own. */
const PRIORITY = 29_250;
const KEY = 'ovn.kubernetes.io/';
/** Where traffic of external addresses goes: the gateway of the external network. */
const EXTERNAL = '198.51.100.1';

/** Each policy of a pod's own gateway, by the source in its match. */
export function* gatewayPolicies(
  cluster: Cluster,
): Generator<{ readonly uid: string; readonly source: string }> {
  for (const [uid, row] of cluster.rows('Logical_Router_Policy'))
    if (row['priority'] === PRIORITY) yield { uid, source: String(row['match']).split(' == ')[1]! };
}

/** Where the pod asks that its traffic goes; before v1.13 an external address had a route. */
export function gatewayOf({ release }: Cluster, pod: KubernetesObject): string | undefined {
  const isExternal = annotationOf(pod, `${KEY}eip`) ?? annotationOf(pod, `${KEY}snat`);
  if (isExternal === undefined) return annotationOf(pod, `${KEY}north_gateway`);
  return release.version.startsWith('v1.12.') ? undefined : EXTERNAL;
}

/** The policy of a pod that has its address, then that it is routed (pkg/controller/pod.go). */
function* route({ cluster }: Controller, namespace: string, name: string): Job {
  const pod = cluster.objects.get('Pod', namespace, name);
  if (!isUnrouted(pod)) return;
  const gateway = gatewayOf(cluster, pod);
  const source = annotationOf(pod, `${KEY}ip_address`) ?? '';
  if (gateway !== undefined && source !== '') {
    const [known] = [...gatewayPolicies(cluster)].filter((it) => it.source === source);
    if (known)
      cluster.write(
        op.update('Logical_Router_Policy', op.byUuid(known.uid), { nexthops: gateway }),
      );
    else makePolicy(cluster, pod, source, gateway);
    yield;
  }
  const current = cluster.objects.get('Pod', namespace, name);
  if (!isUnrouted(current) || current.metadata.uid !== pod.metadata.uid) return;
  annotate(cluster, current, { [`${KEY}routed`]: 'true' });
  yield;
}

const isUnrouted = (pod: KubernetesObject | undefined): pod is KubernetesObject =>
  isLive(pod) &&
  annotationOf(pod, `${KEY}allocated`) === 'true' &&
  annotationOf(pod, `${KEY}routed`) !== 'true';

function makePolicy(cluster: Cluster, pod: KubernetesObject, source: string, hop: string): void {
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const uid = cluster.random.uuid();
  const name = `ip4.src == ${source}`;
  cluster.write(
    ...add(
      'Logical_Router_Policy',
      uid,
      {
        priority: PRIORITY,
        match: name,
        action: 'reroute',
        nexthops: hop,
        external_ids: ours({ subnet: annotationOf(pod, `${KEY}logical_switch`) ?? '' }),
      },
      { table: 'Logical_Router', uuid: router, column: 'policies' },
    ),
  );
  cluster.labels.set({
    kind: 'Logical_Router_Policy',
    uid,
    name,
    by: 'kube-ovn',
    owners: keepersOf(pod),
    addresses: [],
  });
  cluster.diary.push(`policy "${name}" by ${hop}`);
}

/** Takes the policies of a source from the router; whether there was one. */
export function dropPolicy(cluster: Cluster, source: string): boolean {
  const found = [...gatewayPolicies(cluster)].filter((it) => it.source === source);
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  for (const { uid } of found)
    cluster.write(
      op.mutate('Logical_Router', op.byUuid(router), [['policies', 'delete', op.uuid(uid)]]),
    );
  if (found.length > 0) cluster.diary.push(`policy of ${source} removed`);
  return found.length > 0;
}

/** Pods that have their address and are not routed; only those that ask for a gateway here. */
export const gateways: Handler = (controller, event) => {
  if (event.is === 'all' || event.is === 'gone' || !isUnrouted(event.object)) return;
  const { namespace = '', name } = event.object.metadata;
  if (gatewayOf(controller.cluster, event.object) === undefined) return;
  controller.enqueueOnce(`pod ${namespace}/${name}`, () => route(controller, namespace, name));
};

/**
 * Once after a start: policies of sources that no pod with a north gateway has go, those of pods
 * with an external address too (gc.go, gcRoutePolicy).
 */
export function* collectGateways({ cluster }: Controller): Job {
  const kept = new Set(
    [...cluster.objects.all('Pod')]
      .filter((it) => annotationOf(it, `${KEY}north_gateway`) !== undefined)
      .map((it) => annotationOf(it, `${KEY}ip_address`) ?? ''),
  );
  for (const { source } of [...gatewayPolicies(cluster)])
    if (!kept.has(source) && dropPolicy(cluster, source)) yield;
}
