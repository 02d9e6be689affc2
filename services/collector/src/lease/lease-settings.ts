import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/**
 * Mounted into every pod that has a service account (Kubernetes documentation, "Accessing the
 * Kubernetes API from a Pod").
 */
const POD_NAMESPACE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

export interface LeaseSettings {
  readonly namespace: string;
  readonly name: string;
  readonly durationMs: number;
  /**
   * The Lease lies in the cluster whose pod this is, whichever cluster is observed: reach it as the
   * pod's account.
   */
  readonly inPod: boolean;
}

/** Where the process runs, as far as it can know. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** A file with the name of the pod's namespace. */
  readonly namespaceFile: string;
}

/**
 * The Lease by which collectors of a cluster take turns; undefined when they do not: then the lock
 * on the mirror's file is all there is.
 *
 * @throws Failure `config-invalid` when a Lease is wanted outside a pod and no namespace is named
 *   for it.
 */
export function leaseOf(
  { cluster, lease }: Pick<Settings, 'cluster' | 'lease'>,
  { env, namespaceFile }: Surroundings = { env: process.env, namespaceFile: POD_NAMESPACE },
): LeaseSettings | undefined {
  const inPod = Boolean(env['KUBERNETES_SERVICE_HOST']) && existsSync(namespaceFile);
  if (lease.enabled === 'never' || (lease.enabled === 'auto' && !inPod)) return undefined;
  const namespace =
    lease.namespace ?? (inPod ? readFileSync(namespaceFile, 'utf8').trim() : undefined);
  if (!namespace)
    throw new Failure(
      'config-invalid',
      'lease.enabled is always, but this is not a pod, whose namespace would be taken: name one with lease.namespace, or set lease.enabled to auto.',
    );
  return { namespace, name: lease.name ?? leaseName(cluster), durationMs: lease.duration, inPod };
}

/**
 * Names of objects are lower case and have no underscores; names of clusters that differ only there
 * get different leases all the same.
 */
function leaseName(cluster: string): string {
  const name = `ovn-steward-collector-${cluster}`;
  const plain = name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/[.-]+(?=\.)|(?<=\.)-+/g, '');
  if (plain === name && name.length <= 253) return name;
  return `${plain.slice(0, 240).replace(/[.-]+$/, '')}-${hash('sha256', cluster).slice(0, 8)}`;
}
