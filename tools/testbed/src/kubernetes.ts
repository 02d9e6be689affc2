import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { externalKubernetes } from './kubernetes/external';
import { makeApi } from './kubernetes/api';
import { AUDIT_LOG, serverArguments, writeServerFiles } from './kubernetes/api-server';
import { applyObjects } from './kubernetes/apply';
import { startEtcd } from './kubernetes/etcd';
import { kubeconfigText } from './kubernetes/kubeconfig';
import { loadIntoEtcd } from './kubernetes/load';
import { readRecordedObjects } from './kubernetes/recorded';
import { waitUntilServed } from './kubernetes/serve';
import type { KubernetesOptions, KubernetesServer } from './kubernetes/server';
import { openKubernetesSite } from './kubernetes/site';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';
import type { Server } from './run/server';

export type { KubernetesServer } from './kubernetes/server';

/**
 * Starts etcd and kube-apiserver on 127.0.0.1, ready in three to six seconds, about 480 MB of
 * memory. There are no controllers: nothing collects owned objects, and a deleted namespace stays
 * Terminating. With STEWARD_TEST_KUBECONFIG set, and nothing asked for that only a server of our
 * own can give, that cluster is used instead.
 */
export async function startKubernetes(options: KubernetesOptions = {}): Promise<KubernetesServer> {
  const external = externalKubernetes(options);
  if (external !== undefined) return external;
  const folder = makeScratch('kube');
  const token = randomBytes(16).toString('hex');
  const ca = writeServerFiles(folder, [
    { name: 'testbed', token, groups: ['system:masters'] },
    ...(options.users ?? []),
  ]);
  const port = await claimPort();
  const etcdPort = await claimPort();
  const peerPort = await claimPort();
  const site = await openKubernetesSite(folder, [port, etcdPort]);
  const etcd = await startEtcd(site, folder, etcdPort, peerPort);
  const recorded =
    options.recording === undefined
      ? []
      : await loadIntoEtcd(etcd, readRecordedObjects(options.recording));
  const url = `https://127.0.0.1:${port}`;
  const api = makeApi({ url, ca, token });
  const args = serverArguments(
    folder,
    site.listen,
    etcd.url,
    port,
    options.rbac === true ? 'RBAC' : 'AlwaysAllow',
    options.audited === true,
  );
  const start = (): Promise<Server> =>
    startReady(
      site,
      {
        name: 'kube-apiserver',
        program: 'kube-apiserver',
        args,
        log: join(folder, 'kube-apiserver.log'),
      },
      { what: 'kube-apiserver to be ready', timeoutMs: 90_000, check: () => api.get('/readyz') },
    );
  let server = await start();
  await waitUntilServed(api, recorded, [server]);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(url, ca, token), { mode: 0o600 });
  return {
    url,
    kubeconfig,
    auditLog: join(folder, AUDIT_LOG),
    token,
    ca,
    api,
    apply: (objects) => applyObjects(api, objects),
    loadRecording: async (file) => {
      const definitions = await loadIntoEtcd(etcd, readRecordedObjects(file));
      await waitUntilServed(api, definitions, [server]);
    },
    compactEtcd: () => etcd.compact(),
    signal: (name) => server.signal(name),
    kill: () => server.kill(),
    restart: async () => {
      await server.stop();
      server = await start();
    },
    stop: async () => {
      api.close();
      await server.kill(); // an orderly end would wait for open watches
      await etcd.server.kill();
      await site.close();
      for (const each of [port, etcdPort, peerPort]) releasePort(each);
      removeScratch(folder);
    },
  };
}
