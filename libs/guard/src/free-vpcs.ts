import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import { objectVersionOf } from './install';
import { takingOff } from './reconcile-vpc';

/** What became of one Vpc that had our finalizer. */
export interface FreedVpc {
  readonly name: string;
  /** Why it was left as it is; undefined when ours is off. */
  readonly left?: string;
}

/** Others change a Vpc all the time; it is read again so often. */
const TRIES = 5;

/** The names of the Vpcs that have our finalizer. @throws Failure when they cannot be read. */
export const guardedVpcs = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<readonly string[]> =>
  (await kubernetes.list('Vpc', undefined, signal))
    .filter((it) => finalizersOf(it).includes(VPC_GUARD))
    .map(({ metadata: { name } }) => name);

/**
 * Removes our finalizer from every Vpc, whatever its state, and no other. A Vpc that is being
 * deleted may then be removed: the caller has announced that.
 * @throws Failure when Vpcs cannot be read.
 */
export async function freeVpcs(
  kubernetes: Pick<Kubernetes, 'list' | 'get' | 'patch'>,
  signal: AbortSignal,
): Promise<readonly FreedVpc[]> {
  const freed: FreedVpc[] = [];
  for (const name of await guardedVpcs(kubernetes, signal))
    freed.push({ name, ...(await free(name, kubernetes, signal)) });
  return freed;
}

async function free(
  name: string,
  kubernetes: Pick<Kubernetes, 'get' | 'patch'>,
  signal: AbortSignal,
): Promise<Pick<FreedVpc, 'left'>> {
  for (let tries = 1; ; tries += 1) {
    const vpc = await kubernetes.get('Vpc', undefined, name, signal);
    if (!vpc || !finalizersOf(vpc).includes(VPC_GUARD)) return {};
    const written = await kubernetes.patch(objectVersionOf(vpc, 'Vpc'), takingOff(vpc), signal);
    if (written.is === 'patched') return {};
    if (written.why !== 'conflict' || tries === TRIES) return { left: written.message };
  }
}
