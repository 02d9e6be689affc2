import type { Api } from './api';
import type { TestUser } from './api-server';
import type { KubernetesObject } from './objects';

export interface KubernetesOptions {
  /**
   * Check rights by RBAC; otherwise every user with a token may do everything. The fixture's own
   * user is a cluster admin either way.
   */
  readonly rbac?: boolean;
  /** Keep a log of every request, with the right that let it through. */
  readonly audited?: boolean;
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
  /** Of a server that is `audited`: the file with a line of JSON for each request. */
  readonly auditLog?: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** A plain client, as the fixture's own user. */
  readonly api: Api;
  /** Creates objects through the API; gives the new uid of each recorded one. */
  apply(objects: readonly KubernetesObject[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Puts a recording in place with its very uids, times and status, and waits until all of it is
   * served.
   */
  loadRecording(file: string): Promise<void>;
  /**
   * Forgets etcd's history: a list's continuation from before is answered 410 at once, a watch from
   * before after a `restart` (until then the server's own cache serves it).
   */
  compactEtcd(): Promise<void>;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** SIGKILL to the API server, as a crash. `restart` brings it back. */
  kill(): Promise<void>;
  /** Stops and starts the API server on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}
