import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, deleteObject } from '../cluster';
import { EXTERNAL } from '../create-external';
import { eipOf, GATEWAY_NODE, OUTSIDE, writtenBy } from '../kube-ovn/vpc-external';

const VPC = 'tenant';

/**
 * A Vpc asks for the outside, or does not any more; nodes may be left by or not; a person makes the
 * OvnEip to choose the address, and deletes one.
 */
export function changeOutsideOfVpc(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const what = random.int(10);
  const vpc = objects.get('Vpc', undefined, VPC);
  if (what < 5) {
    if (!vpc) return;
    const spec = vpc['spec'] as { enableExternal?: boolean };
    const enableExternal = spec.enableExternal !== true;
    cluster.put({ ...vpc, spec: { ...spec, enableExternal } } as unknown as GivenObject);
    diary.push(`Vpc ${VPC} asks for the outside${enableExternal ? '' : ' no more'}`);
  } else if (what < 8) changeNode(cluster);
  else changeEip(cluster);
}

function changeNode({ random, objects, put, diary }: Cluster): void {
  const node = random.pick([...objects.all('Node')]);
  const labels = { ...(node.metadata['labels'] as Record<string, string> | undefined) };
  const isGateway = Object.hasOwn(labels, GATEWAY_NODE);
  if (isGateway) delete labels[GATEWAY_NODE];
  else labels[GATEWAY_NODE] = 'true';
  put({ ...node, metadata: { ...node.metadata, labels } } as unknown as GivenObject);
  diary.push(`Node ${node.metadata.name} is ${isGateway ? 'no' : 'a'} way outside`);
}

function changeEip(cluster: Cluster): void {
  const name = eipOf(VPC);
  const eip = cluster.objects.get('OvnEip', undefined, name);
  if (eip) return deleteObject(cluster, eip, false);
  cluster.put({
    kind: 'OvnEip',
    metadata: { name, managedFields: [writtenBy('kubectl-create')] },
    spec: { type: 'lrp', externalSubnet: EXTERNAL, ...OUTSIDE },
  });
  cluster.diary.push(`OvnEip ${name} made by a person`);
}
