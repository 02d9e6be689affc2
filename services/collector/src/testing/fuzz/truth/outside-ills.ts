import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster, hasDeletionTimestamp, rowNamed } from '../cluster';
import { eipOf } from '../kube-ovn/vpc-external';
import { vpcOf } from '../kube-ovn/vpc-status';
import type { Ill } from './ill';

const VPC = 'tenant';

/** What a Vpc leaves outside: an address that nobody can have. One that a person made is theirs. */
export function* outsideIlls(cluster: Cluster): Generator<Ill> {
  const eip = cluster.objects.get('OvnEip', undefined, eipOf(VPC));
  if (!alive(eip) || isOfPerson(eip)) return;
  const vpc = vpcOf(cluster, VPC);
  const { uid, name } = eip.metadata;
  const what = `OvnEip ${name} is for no router`;
  const rule = 'leaked-ovn-eip';
  if (!vpc) {
    const isAwaited = [...cluster.objects.all('Subnet')].some(
      (it) => (it['spec'] as { vpc?: string }).vpc === VPC,
    );
    return yield { rule, uid, what, expected: isAwaited ? 'may' : 'must' };
  }
  const [spec, status] = [vpc['spec'], vpc['status']] as (
    { enableExternal?: boolean } | undefined
  )[];
  if (
    hasDeletionTimestamp(vpc) ||
    !status ||
    spec?.enableExternal === true ||
    status.enableExternal === true
  )
    return;
  const isUsed = rowNamed(cluster, 'Logical_Router_Port', name) !== undefined;
  yield { rule, uid, what, expected: isUsed ? 'may' : 'must' };
}

const isOfPerson = ({ metadata }: KubernetesObject): boolean =>
  (metadata['managedFields'] as { manager: string }[]).some(
    (it) => it.manager === 'kubectl-create',
  );
