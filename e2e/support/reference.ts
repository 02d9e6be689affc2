import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createCollector,
  createKubernetesSource,
  createOvnSource,
  memoryMirror,
} from '@ovn-steward/collector';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { changeKey } from '@ovn-steward/contracts/changes/change';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { KUBERNETES_STREAMS } from '@ovn-steward/shared/kinds';
import { STEWARD } from './steward';

/** Where the truth is: living servers. */
export interface Servers {
  readonly northbound: string;
  readonly kubeconfig: string;
}

/** What an undisturbed audit of the servers finds. */
export async function findingsOf(
  { northbound, kubeconfig }: Servers,
  cluster: string,
): Promise<readonly Finding[]> {
  const child = spawn(
    process.execPath,
    [
      STEWARD,
      'audit',
      '--output',
      'json',
      '--cluster',
      cluster,
      '--ovn-nb',
      northbound,
      '--kubernetes',
      kubeconfig,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && code !== 2) throw new Error(`the audit ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { findings: Finding[] }).findings;
}

/** The same: finding id → its sentence. */
export const auditOf = async (
  servers: Servers,
  cluster: string,
): Promise<ReadonlyMap<string, string>> =>
  new Map((await findingsOf(servers, cluster)).map((it) => [it.id, it.summary]));

/** What the servers hold, as a collector with no past publishes it: key → content hash. */
export async function contentsOf(
  { northbound, kubeconfig }: Servers,
  cluster: string,
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  const waiting = new Set(['ovn-nb', ...KUBERNETES_STREAMS]);
  const enough = new AbortController();
  const tooLong = setTimeout(() => enough.abort(), 60_000);
  const collector = createCollector({
    cluster,
    mirror: memoryMirror(),
    clock: () => new Date(),
    sources: [
      createOvnSource({ id: 'ovn-nb', remotes: northbound }),
      createKubernetesSource({ client: createKubeClient(kubeAccess({ kubeconfig })) }),
    ],
    publish: async (changes) => {
      for (const change of changes) {
        if (change.type === 'put') contents.set(changeKey(change), change.hash);
        if (change.type === 'delete') contents.delete(changeKey(change));
        if (change.type === 'snapshot-end' || change.type === 'unavailable')
          waiting.delete(change.stream);
      }
      if (waiting.size === 0) enough.abort();
    },
  });
  await collector.run(enough.signal);
  clearTimeout(tooLong);
  if (waiting.size > 0)
    throw new Error(`the servers did not report all of ${[...waiting].join(', ')}`);
  return contents;
}
