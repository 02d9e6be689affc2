import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, deleteObject } from '../cluster';
import { LAB, LAB_SUBNETS } from '../kube-ovn/namespaces';

const KEY = 'ovn.kubernetes.io/';

/**
 * Pods of a namespace that moves, by what their names begin with. An admission webhook puts
 * `hooked` into a subnet, the template of `pinned` asks for an address, and `bare` has no owner who
 * would make it again: of these it is not Kube-OVN's choice, or nobody may restart them.
 */
const SORTS = ['plain', 'hooked', 'pinned', 'bare'] as const;
type Sort = (typeof SORTS)[number];

const TEMPLATES: Readonly<Partial<Record<Sort, Readonly<Record<string, string>>>>> = {
  pinned: { [`${KEY}ip_address`]: '10.17.0.55' },
};

/** Of a namespace whose subnets change: it is given another, or a pod of it comes or goes. */
export function changeLab(cluster: Cluster): void {
  const { random, objects } = cluster;
  if (random.chance(0.3)) return moveLab(cluster);
  const sort = random.pick(SORTS);
  const pod = podOf(cluster, sort);
  if (!pod) return makePod(cluster, sort);
  if (random.chance(0.5)) return;
  deleteObject(cluster, objects.get('Pod', LAB, pod.metadata.name)!, false);
  if (random.chance(0.5)) makePod(cluster, sort);
}

const podOf = ({ objects }: Cluster, sort: Sort): KubernetesObject | undefined =>
  [...objects.all('Pod')].find(
    ({ metadata }) => metadata.namespace === LAB && metadata.name.startsWith(sort),
  );

/** A Subnet lists the namespace, or lists it no more. */
function moveLab(cluster: Cluster): void {
  const name = cluster.random.pick(LAB_SUBNETS);
  const subnet = cluster.objects.get('Subnet', undefined, name)!;
  const { namespaces = [], ...spec } = subnet['spec'] as { namespaces?: readonly string[] };
  const isListed = namespaces.includes(LAB);
  const listed = isListed ? namespaces.filter((it) => it !== LAB) : [...namespaces, LAB];
  cluster.put({ ...subnet, spec: { ...spec, namespaces: listed } } as unknown as GivenObject);
  cluster.diary.push(`Subnet ${name} lists ${LAB}${isListed ? ' no more' : ''}`);
}

function makePod(cluster: Cluster, sort: Sort): void {
  const { random } = cluster;
  const template = TEMPLATES[sort] ?? {};
  const hooked = sort === 'hooked' ? { [`${KEY}logical_switch`]: random.pick(LAB_SUBNETS) } : {};
  const annotations: Readonly<Record<string, string>> = { ...template, ...hooked };
  if (sort !== 'bare') putReplicaSet(cluster, sort, template);
  const name = `${sort}-${random.int(1e6).toString(36)}`;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: sort, controller: true };
  cluster.put({
    kind: 'Pod',
    metadata: {
      name,
      namespace: LAB,
      labels: { app: sort },
      annotations,
      managedFields: [
        {
          manager: sort === 'bare' ? 'kubectl-create' : 'kube-controller-manager',
          fieldsV1: ownedBy(Object.keys(annotations)),
        },
      ],
      ...(sort !== 'bare' && { ownerReferences: [{ ...owner, uid: `uid-of-${sort}` }] }),
    },
    spec: { nodeName: 'worker-2', restartPolicy: 'Always' },
    status: { phase: 'Pending' },
  });
  cluster.diary.push(`pod ${LAB}/${name} made with ${JSON.stringify(annotations)}`);
}

function putReplicaSet(
  cluster: Cluster,
  name: string,
  annotations: Readonly<Record<string, string>>,
): void {
  if (cluster.objects.get('ReplicaSet', LAB, name)) return;
  cluster.put({
    kind: 'ReplicaSet',
    metadata: { name, namespace: LAB },
    spec: { replicas: 1, template: { metadata: { labels: { app: name }, annotations } } },
  });
}

/** As the API server notes whose the annotations of those keys are. */
const ownedBy = (keys: readonly string[]): object => ({
  'f:metadata': { 'f:annotations': Object.fromEntries(keys.map((it) => [`f:${it}`, {}])) },
});
