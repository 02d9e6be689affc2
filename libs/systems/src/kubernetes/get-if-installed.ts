import { Failure } from '@ovn-steward/shared/errors';
import type { Kubernetes, KubernetesObject } from './kubernetes';

/**
 * The object as it is now. Nothing of a kind that is not installed is there: releases of Kube-OVN
 * from v1.13 on take their definitions along when they are uninstalled, and every object of them.
 * @throws Failure when it is not known.
 */
export async function getIfInstalled(
  kind: string,
  namespace: string | undefined,
  name: string,
  kubernetes: Pick<Kubernetes, 'get' | 'serves'>,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    return await kubernetes.get(kind, namespace, name, signal);
  } catch (error) {
    if (
      error instanceof Failure &&
      error.code === 'source-not-served' &&
      (await kubernetes.serves(kind, signal)) === 'not-installed'
    )
      return undefined;
    throw error;
  }
}
