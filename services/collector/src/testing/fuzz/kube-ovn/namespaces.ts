import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { annotate, annotationOf, type Cluster } from '../cluster';
import type { Handler, Job } from './controller';

/** A namespace that Subnets come to list and do not list any more. */
export const LAB = 'lab';
/** Subnets that may list it. */
export const LAB_SUBNETS = ['apps', 'data'] as const;
const KEY = 'ovn.kubernetes.io/logical_switch';

/** Subnets whose spec lists the namespace. */
export const subnetsListing = ({ objects }: Cluster, namespace: string): string[] =>
  [...objects.all('Subnet')]
    .filter((it) =>
      ((it['spec'] as { namespaces?: readonly string[] }).namespaces ?? []).includes(namespace),
    )
    .map((it) => it.metadata.name)
    .sort();

/** What the namespace's annotation names. */
export const subnetsGiven = ({ objects }: Cluster, namespace: string): string[] =>
  annotationOf(objects.get('Namespace', undefined, namespace), KEY)?.split(',') ?? [];

/** Those that list it, or the default one (handleAddNamespace). */
function* handle(cluster: Cluster): Job {
  const listing = subnetsListing(cluster, LAB);
  const given = (listing.length > 0 ? listing : ['ovn-default']).join(',');
  const namespace = cluster.objects.get('Namespace', undefined, LAB)!;
  if (annotationOf(namespace, KEY) === given) return;
  annotate(cluster, namespace, { [KEY]: given });
  cluster.diary.push(`namespace ${LAB} is given ${given}`);
  yield;
}

/** A Subnet is added or changed: which namespaces it lists may be another (reconcileNamespaces). */
export const namespacesOfSubnets: Handler = (controller, event) => {
  if (event.is !== 'now' || !isOfLab(event.object)) return;
  controller.enqueueOnce(`namespace ${LAB}`, () => handle(controller.cluster));
};

const isOfLab = ({ metadata }: KubernetesObject): boolean =>
  (LAB_SUBNETS as readonly string[]).includes(metadata.name);
