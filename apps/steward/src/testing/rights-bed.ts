import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';

const TOKEN = 'token-of-the-user';

/**
 * The cluster that Neutron shares, alive, on an API server that checks rights and logs which let a
 * request through.
 */
export interface RightsBed {
  readonly server: KubernetesServer;
  readonly northbound: OvnServer;
  /** Of the user, who has no rights yet. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** With the namespace that the manifests go into, and nothing else of ours. */
export async function startRightsBed(user: string): Promise<RightsBed> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-rights-'));
  const [server, northbound] = await Promise.all([
    startKubernetes({
      recording: recording('shared-neutron', 'kubernetes.json'),
      rbac: true,
      audited: true,
      users: [{ name: user, token: TOKEN }],
    }),
    startOvnStandalone({ database: recording('shared-neutron', 'nb.db') }),
  ]);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(server.url, server.ca, TOKEN));
  await server.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-steward' } }]);
  return {
    server,
    northbound,
    kubeconfig,
    async stop() {
      await Promise.all([server.stop(), northbound.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
