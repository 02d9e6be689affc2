import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { rendered } from '../../tools/chart/rendered';

const NAMESPACE = 'ovn-steward';

/** The accounts under which the chart runs an executor that enforces, and a collector. */
export const ACCOUNTS = {
  executor: {
    name: `system:serviceaccount:${NAMESPACE}:ovn-steward-executor`,
    token: 'token-of-the-executor',
  },
  collector: {
    name: `system:serviceaccount:${NAMESPACE}:ovn-steward`,
    token: 'token-of-the-collector',
  },
} as const;
export type Account = keyof typeof ACCOUNTS;

/** Where everything is enforced, in one process and as services on Kafka. */
const ENFORCING = { settings: { executor: { mode: 'enforce' } } };
const ON_KAFKA = {
  mode: 'kafka',
  signing: { secretName: 'key', trustedKeysConfigMap: 'trusted' },
  settings: { ...ENFORCING.settings, kafka: { brokers: ['kafka.example:9092'] } },
};

const RIGHTS: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ServiceAccount',
]);

/** Gives the accounts the rights that the chart gives them, and no other. */
export async function grantAccounts(kubernetes: KubernetesServer): Promise<void> {
  const inOneProcess = rendered(ENFORCING, NAMESPACE);
  const known = new Set(inOneProcess.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const others = rendered(ON_KAFKA, NAMESPACE).filter(
    ({ kind, metadata }) => !known.has(`${kind} ${metadata.name}`),
  );
  await kubernetes.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } as KubernetesObject,
    ...[...inOneProcess, ...others]
      .filter(({ kind }) => RIGHTS.has(kind))
      .map((it) => it as unknown as KubernetesObject),
  ]);
}

/** A kubeconfig of such an account. */
export function kubeconfigOf(
  account: Account,
  { url, ca }: KubernetesServer,
  folder: string,
): string {
  const file = join(folder, `${account}.kubeconfig`);
  writeFileSync(file, kubeconfigText(url, ca, ACCOUNTS[account].token));
  return file;
}
