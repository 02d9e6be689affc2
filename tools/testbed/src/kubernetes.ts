import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { externalKubernetes } from './kubernetes/external';
import { makeApi, type Api } from './kubernetes/api';
import { serverArguments, writeServerFiles, type TestUser } from './kubernetes/api-server';
import { applyObjects } from './kubernetes/apply';
import { startEtcd } from './kubernetes/etcd';
import { writeKubeconfig } from './kubernetes/kubeconfig';
import { loadIntoEtcd } from './kubernetes/load';
import type { KubernetesObject } from './kubernetes/objects';
import { readRecordedObjects } from './kubernetes/recorded';
import { waitUntilServed } from './kubernetes/serve';
import { openKubernetesSite } from './kubernetes/site';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';
import type { Server } from './run/server';

export interface KubernetesOptions {
  /** Check rights by RBAC; otherwise every user with a token may do everything. The fixture's own user is a cluster admin either way. */
  readonly rbac?: boolean;
  /** Further users, e.g. one without rights. */
  readonly users?: readonly TestUser[];
  /** A recording (`kubernetes.json`) that is in place before the server starts. */
  readonly recording?: string;
}

/** A running Kubernetes API server. */
export interface KubernetesServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** Path of a kubeconfig for the fixture's own user. */
  readonly kubeconfig: string;
  readonly token: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** A plain client, as the fixture's own user. */
  readonly api: Api;
  /** Creates objects through the API; gives the new uid of each recorded one. */
  apply(objects: readonly KubernetesObject[]): Promise<ReadonlyMap<string, string>>;
  /** Puts a recording in place with its very uids, times and status, and waits until all of it is served. */
  loadRecording(file: string): Promise<void>;
  /** Forgets etcd's history: a list's continuation from before is answered 410 at once, a watch from before after a `restart` (until then the server's own cache serves it). */
  compactEtcd(): Promise<void>;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** SIGKILL to the API server, as a crash. `restart` brings it back. */
  kill(): Promise<void>;
  /** Stops and starts the API server on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on 127.0.0.1, ready in three to six seconds, about 300 MB of memory. There are no controllers: nothing
 * collects owned objects, and a deleted namespace stays Terminating. With STEWARD_TEST_KUBECONFIG set, and nothing asked for that only
 * a server of our own can give, that cluster is used instead.
 */
export async function startKubernetes(options: KubernetesOptions = {}): Promise<KubernetesServer> {
  const external = externalKubernetes(options);
  if (external !== undefined) return external;
  const folder = makeScratch('kube');
  const token = randomBytes(16).toString('hex');
  const ca = writeServerFiles(folder, [{ name: 'testbed', token, groups: ['system:masters'] }, ...(options.users ?? [])]);
  const [port, etcdPort, peerPort] = [await claimPort(), await claimPort(), await claimPort()];
  const site = await openKubernetesSite(folder, [port, etcdPort]);
  const etcd = await startEtcd(site, folder, etcdPort, peerPort);
  const recorded = options.recording === undefined ? [] : await loadIntoEtcd(etcd, readRecordedObjects(options.recording));
  const url = `https://127.0.0.1:${port}`;
  const api = makeApi({ url, ca, token });
  const args = serverArguments(folder, site.listen, etcd.url, port, options.rbac === true ? 'RBAC' : 'AlwaysAllow');
  const start = (): Promise<Server> =>
    startReady(
      site,
      { name: 'kube-apiserver', program: 'kube-apiserver', args, log: join(folder, 'kube-apiserver.log') },
      { what: 'kube-apiserver to be ready', timeoutMs: 90_000, check: () => api.get('/readyz') },
    );
  let server = await start();
  await waitUntilServed(api, recorded, [server]);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, writeKubeconfig(url, ca, token), { mode: 0o600 });
  return {
    url,
    kubeconfig,
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
