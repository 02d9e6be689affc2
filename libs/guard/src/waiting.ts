import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import { readSubnets } from './reconcile-vpc';
import { subnetsNaming, type SubnetVpc } from './policy-kit/vpc-of-subnet';

/** A Vpc that is being deleted and is still there. */
export interface WaitingVpc {
  readonly name: string;
  readonly uid: string;
  /** When it is being deleted (RFC 3339), by the API server's clock. */
  readonly since: string;
  readonly finalizers: readonly string[];
  /** The Subnets that name it; undefined: not known. */
  readonly subnets: readonly string[] | undefined;
}

/** Undefined for a Vpc that is not being deleted. */
export function waitingVpc(
  vpc: KubernetesObject,
  subnets: readonly SubnetVpc[] | undefined,
): WaitingVpc | undefined {
  const { name, uid, deletionTimestamp } = vpc.metadata;
  if (deletionTimestamp === undefined) return undefined;
  return {
    name,
    uid,
    since: deletionTimestamp,
    finalizers: finalizersOf(vpc),
    subnets: subnets && subnetsNaming(name, subnets),
  };
}

/**
 * For how long the longest waits; seconds, 0 when none does or by a clock that is behind the
 * server's.
 */
export const oldestSeconds = (waiting: readonly WaitingVpc[], now: Date): number =>
  waiting.reduce(
    (oldest, { since }) => Math.max(oldest, (now.getTime() - Date.parse(since)) / 1000),
    0,
  );

/**
 * All Vpcs that are being deleted and are still there, as they are now.
 * @throws Failure when Vpcs or Subnets cannot be read.
 */
export async function readWaiting(
  kubernetes: Pick<Kubernetes, 'list' | 'serves'>,
  signal: AbortSignal,
): Promise<readonly WaitingVpc[]> {
  const vpcs = await kubernetes.list('Vpc', undefined, signal);
  const subnets = await readSubnets(kubernetes, signal);
  return vpcs.flatMap((it) => waitingVpc(it, subnets) ?? []);
}
