import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKubernetes, type KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { type OvnRaft, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { kubectlAtHand } from '@ovn-steward/testbed/provision/kubectl';
import { recording } from '@ovn-steward/testbed/recordings';
import { CHART, type ChartObject, helmRuns, objectsIn } from '../../tools/chart/rendered';
import { type Account, ACCOUNTS, kubeconfigOf } from '../rig/accounts';
import { makeKeys } from '../support/keys';
import { type NorthboundWitness, witnessNorthbound } from '../support/northbound-witness';
import { Nodes } from './nodes';

export const NAMESPACE = 'ovn-steward';
export const NODES = ['worker-1', 'worker-2', 'cp-1'] as const;
const WIDE = { least: 1_000_000, share: 1, most: 1_000_000 };

/** Settings with which leaked ports are removed slowly enough to drain a node meanwhile. */
export const REMOVING = {
  cluster: 'drained',
  grace: { garbage: '0s', leak: '0s' },
  executor: {
    rules: { 'orphaned-logical-switch-port': 'enforce' },
    rate: { perSecond: 2, burst: 2 },
    yield: { afterLease: '0s' },
    ceilings: { rule: WIDE, subnet: WIDE, vpc: WIDE, cluster: WIDE },
  },
};

/** A cluster with the chart in it, whose pods are processes. */
export interface Installed {
  readonly kubernetes: KubernetesServer;
  readonly nb: OvnRaft;
  readonly witness: NorthboundWitness;
  readonly nodes: Nodes;
  /** kubectl as an administrator. @throws Error with what it said, unless it ends with 0. */
  kubectl(...args: string[]): Promise<string>;
  /**
   * Asks for the eviction of a pod, as `kubectl drain` does. @throws HttpError 429 under a budget
   * that does not allow it.
   */
  evict(pod: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Installs it with Helm, with values that name where the Northbound is; its pods run on three
 * nodes.
 */
export async function install(
  valuesFor: (remote: string) => object,
  account: Readonly<Record<string, Account>>,
): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-drained-'));
  const ending: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of ending.reverse()) await end();
  };
  try {
    const nb = await startOvnRaft({ database: recording('clean', 'nb.db') });
    ending.push(() => nb.stop());
    const kubernetes = await startKubernetes({
      recording: recording('clean', 'kubernetes.json'),
      rbac: true,
      users: Object.values(ACCOUNTS),
    });
    ending.push(() => kubernetes.stop());
    const witness = witnessNorthbound(nb);
    ending.push(() => witness.stop());
    const objects = await helmInstall(kubernetes, folder, valuesFor(nb.remotes.join(',')));
    const nodes = new Nodes(
      {
        api: kubernetes.api,
        namespace: NAMESPACE,
        folder: join(folder, 'volumes'),
        objects: mountedIn(folder, objects),
        kubeconfigOf: (workload) =>
          account[workload] === undefined
            ? '/nonexistent'
            : kubeconfigOf(account[workload], kubernetes, folder),
      },
      NODES,
    );
    ending.push(() => nodes.stop());
    await nodes.allReady();
    return {
      kubernetes,
      nb,
      witness,
      nodes,
      stop,
      kubectl: (...args) => kubectl(kubernetes.kubeconfig, args),
      evict: (name) =>
        kubernetes.api.send('POST', `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`, {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name, namespace: NAMESPACE },
        }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function helmInstall(
  { kubeconfig, apply }: KubernetesServer,
  folder: string,
  values: object,
): Promise<readonly ChartObject[]> {
  await apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } as KubernetesObject,
  ]);
  const helm = (...args: string[]): string => {
    const ran = helmRuns([...args, '--namespace', NAMESPACE, '--kubeconfig', kubeconfig], values, {
      HOME: folder,
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout;
  };
  helm('install', 'ovn-steward', CHART, '--values', '-');
  return objectsIn(helm('get', 'manifest', 'ovn-steward'));
}

/** What is mounted in a pod lies in a folder here. */
function mountedIn(folder: string, objects: readonly ChartObject[]): readonly ChartObject[] {
  const { executor, trusted } = makeKeys(join(folder, 'keys'), 'anna');
  mkdirSync(join(folder, 'volumes'));
  const text = JSON.stringify(objects)
    .replaceAll('/etc/ovn-steward/signing/key.pem', executor)
    .replaceAll('/etc/ovn-steward/trusted-keys', trusted);
  return JSON.parse(text) as readonly ChartObject[];
}

async function kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
  const child = spawn(kubectlAtHand()!, [...args, '--kubeconfig', kubeconfig], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${status}: ${said}`);
  return said;
}
