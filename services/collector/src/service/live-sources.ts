import { tlsOf } from '@ovn-steward/systems/ovn/tls-of';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Source } from '../sources/source';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { createKubernetesSource } from '../sources/kubernetes/kubernetes-source';
import { createOvnSource } from '../sources/ovn/ovn-live';
import type { OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';

export interface LiveOptions {
  /**
   * Called on interruptions, with one sentence each, under the id of the source or the name of the
   * stream.
   */
  readonly report?: (source: string, message: string) => void;
  /** How long a database may not answer before it counts as unreachable, in milliseconds. */
  readonly unreachableAfterMs?: number;
}

/**
 * An OVN database on its servers, `tcp:`, `ssl:` or `unix:`, with the certificates its settings
 * name.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function ovnServers(
  id: OvnDatabaseId,
  remotes: string,
  files: Settings['ovnNb'],
  { report, unreachableAfterMs }: LiveOptions = {},
): Source {
  const tls = tlsOf(remotes, files);
  return createOvnSource({
    id,
    remotes,
    ...(report ? { onTrouble: (message) => report(id, message) } : {}),
    ...(tls ? { tls } : {}),
    ...(unreachableAfterMs === undefined ? {} : { unreachableAfterMs }),
  });
}

/**
 * A Kubernetes cluster, found as kubectl finds it by default.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function kubernetesServer(
  { kubeconfig, context }: Pick<Settings['kubernetes'], 'kubeconfig' | 'context'>,
  { report }: LiveOptions = {},
): Source {
  const access = kubeAccess({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  return createKubernetesSource({
    client: createKubeClient(access),
    ...(report ? { report } : {}),
  });
}
