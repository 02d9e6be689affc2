import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { rendered } from '../../tools/chart/rendered';

const NAMESPACE = 'ovn-steward';

/** The account under which the chart runs an executor that enforces. */
export const EXECUTOR = {
  name: `system:serviceaccount:${NAMESPACE}:ovn-steward-executor`,
  token: 'token-of-the-executor',
} as const;

const RIGHTS: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ServiceAccount',
]);

/** Gives the account the rights that the chart gives it where everything is enforced, and no other. */
export async function grantExecutor(kubernetes: KubernetesServer): Promise<void> {
  const chart = rendered({ settings: { executor: { mode: 'enforce' } } }, NAMESPACE);
  await kubernetes.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } as KubernetesObject,
    ...chart.filter(({ kind }) => RIGHTS.has(kind)).map((it) => it as unknown as KubernetesObject),
  ]);
}

/** A kubeconfig of that account. */
export function executorKubeconfig({ url, ca }: KubernetesServer, folder: string): string {
  const file = join(folder, 'executor.kubeconfig');
  const authority = Buffer.from(ca).toString('base64');
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'rig',
      clusters: [
        { name: 'rig', cluster: { server: url, 'certificate-authority-data': authority } },
      ],
      users: [{ name: 'executor', user: { token: EXECUTOR.token } }],
      contexts: [{ name: 'rig', context: { cluster: 'rig', user: 'executor' } }],
    }),
  );
  return file;
}
