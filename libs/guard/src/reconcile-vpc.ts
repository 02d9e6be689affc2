import { Failure } from '@ovn-steward/shared/errors';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type {
  JsonPatch,
  Kubernetes,
  KubernetesObject,
  RefusedWrite,
} from '@ovn-steward/systems/kubernetes/kubernetes';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import { decideFinalizer, type FinalizerChange } from './decide-finalizer';
import { objectVersionOf } from './install';
import { isDefault, subnetsNaming, type SubnetVpc, subnetVpc } from './policy-kit/vpc-of-subnet';

export type VpcClient = Pick<Kubernetes, 'get' | 'list' | 'serves' | 'patch'>;

/** The result of a check of a Vpc. */
export interface Reconciled {
  readonly change: FinalizerChange;
  readonly vpc: KubernetesObject;
  /** Why the write was refused: nothing was changed. */
  readonly refused?: RefusedWrite;
}

/**
 * Reads a Vpc and adds or removes our finalizer as needed, bound to the version that was read. The
 * Subnets are read after the Vpc, in full, past every cache: only a complete list proves that none
 * names it. Where nothing is being deleted, the cached Subnets in `known` suffice.
 * @returns undefined when there is no such Vpc.
 * @throws Failure when something cannot be read; nothing was changed then, except with
 * `outcome-unknown`.
 */
export async function reconcileVpc(
  name: string,
  known: readonly SubnetVpc[],
  kubernetes: VpcClient,
  signal: AbortSignal,
): Promise<Reconciled | undefined> {
  const vpc = await kubernetes.get('Vpc', undefined, name, signal);
  if (!vpc) return undefined;
  const subnets =
    vpc.metadata.deletionTimestamp === undefined ? known : await readSubnets(kubernetes, signal);
  const desired = decideFinalizer(vpc, {
    isDefault: isDefault(vpc, subnets),
    subnets: subnetsNaming(name, subnets),
  });
  if (desired === 'nothing') return { change: desired, vpc };
  const written = await kubernetes.patch(
    objectVersionOf(vpc, 'Vpc'),
    desired === 'add' ? adding(vpc) : takingOff(vpc),
    signal,
  );
  return { change: desired, vpc, ...(written.is === 'refused' && { refused: written }) };
}

/**
 * All Subnets there are. None only when the server says so, or that it has no such kind.
 * @throws Failure otherwise.
 */
export async function readSubnets(
  kubernetes: Pick<Kubernetes, 'list' | 'serves'>,
  signal: AbortSignal,
): Promise<readonly SubnetVpc[]> {
  try {
    return (await kubernetes.list('Subnet', undefined, signal)).map(subnetVpc);
  } catch (error) {
    if (
      error instanceof Failure &&
      error.code === 'source-not-served' &&
      (await kubernetes.serves('Subnet', signal)) === 'not-installed'
    )
      return [];
    throw error;
  }
}

const PATH = '/metadata/finalizers';

const adding = (vpc: KubernetesObject): JsonPatch =>
  finalizersOf(vpc).length === 0
    ? [{ op: 'add', path: PATH, value: [VPC_GUARD] }]
    : [{ op: 'add', path: `${PATH}/-`, value: VPC_GUARD }];

/** Ours and no other. */
export function takingOff(vpc: KubernetesObject): JsonPatch {
  const at = finalizersOf(vpc).indexOf(VPC_GUARD);
  return [
    { op: 'test', path: `${PATH}/${at}`, value: VPC_GUARD },
    { op: 'remove', path: `${PATH}/${at}` },
  ];
}
