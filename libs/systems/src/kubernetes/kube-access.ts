import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { KubeConfig } from './kube-config';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { parse } from 'yaml';
import { isRecord } from './is-record';
import { KubeFailure } from './kube-failure';
import type { KubeAccess } from './kube-request';

export interface KubeAccessOptions {
  /**
   * A kubeconfig file. Default: `KUBECONFIG`, then `~/.kube/config`, then the pod's service
   * account.
   */
  readonly kubeconfig?: string;
  /** Default: the file's current context. */
  readonly context?: string;
  /** As this pod's service account, to the cluster whose pod it is; no kubeconfig is read. */
  readonly asPod?: boolean;
}

/**
 * Credentials are read again after this long even if they were not refused: exec plugins cost a
 * process each time, files a read.
 */
const CREDENTIALS_MS = 30_000;

/**
 * Credentials this young are not renewed again: every kind's request is refused at the same moment.
 */
const FRESH_MS = 1000;

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Our identity to the API server, by client-node's KubeConfig: certificates, tokens, token files,
 * exec plugins, OIDC, proxies. Fails as `config-invalid` or `input-not-found`, saying which file or
 * context; what it read is in no message.
 */
export function kubeAccess(options: KubeAccessOptions = {}): KubeAccess {
  let config = loadConfig(options);
  let credentials:
    | {
        readonly readAt: number;
        readonly value: Promise<Partial<Parameters<KubeAccess['authenticate']>[0]>>;
      }
    | undefined;
  const server = serverOf(config);
  return {
    server,
    async authenticate(request) {
      if (!credentials || Date.now() - credentials.readAt > CREDENTIALS_MS)
        credentials = { readAt: Date.now(), value: credentialsOf(config) };
      const { headers, ...rest } = await credentials.value;
      Object.assign(request, rest, { headers: { ...request.headers, ...headers } });
    },
    renew() {
      if (credentials && Date.now() - credentials.readAt < FRESH_MS) return; // another request was refused a moment ago
      credentials = undefined;
      config = loadConfig(options); // a new one: client-node keeps exec plugins' tokens inside the old
    },
  };
}

async function credentialsOf(
  config: KubeConfig,
): Promise<Parameters<KubeAccess['authenticate']>[0]> {
  const found: Parameters<KubeAccess['authenticate']>[0] = { headers: {} };
  try {
    await config.applyToHTTPSOptions(found);
  } catch (error) {
    // Never the message of a SyntaxError: it quotes what an exec plugin printed, which is a
    // credential.
    const why =
      error instanceof SyntaxError
        ? 'what it returned is not JSON'
        : messageOf(error).split('\n')[0]?.slice(0, 200);
    throw new KubeFailure(
      'source-refused',
      `The credentials of kubeconfig user ${config.getCurrentUser()?.name} could not be read: ${why}. Try kubectl with the same kubeconfig.`,
    );
  }
  if (found.agent instanceof Agent) readCertificates(found.agent);
  const headers = Object.entries(found.headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return { ...found, headers: Object.fromEntries(headers) };
}

/**
 * The agent's certificates and key, read once for all of its connections: otherwise each reads them
 * anew, a sixth of the processor time that it takes.
 */
function readCertificates({ options }: Agent): void {
  try {
    options.secureContext = createSecureContext(options);
  } catch {
    return; // each connection reads them and says what is wrong with them
  }
}

function loadConfig({ kubeconfig, context, asPod }: KubeAccessOptions): KubeConfig {
  const files = asPod ? [] : kubeconfig ? [resolve(kubeconfig)] : defaultFiles();
  const config = emptyConfig();
  if (files.length > 0) {
    config.loadFromOptions({ clusters: [], users: [], contexts: [], currentContext: undefined });
    for (const file of files) addFile(config, file);
  } else if (existsSync(SERVICE_ACCOUNT_TOKEN) && process.env['KUBERNETES_SERVICE_HOST']) {
    config.loadFromCluster();
  } else {
    throw new Failure(
      'input-not-found',
      'No kubeconfig: neither KUBECONFIG nor ~/.kube/config names one, and this is not a pod. Name one: steward takes --kubernetes <kubeconfig>, a service --kubernetes.kubeconfig.',
    );
  }
  if (context !== undefined) config.setCurrentContext(context);
  if (!config.getCurrentCluster() || !config.getCurrentUser()) {
    const known =
      config
        .getContexts()
        .map((it) => it.name)
        .join(', ') || 'none';
    throw new Failure(
      'config-invalid',
      `Context ${config.getCurrentContext() ?? '(none is current)'} of ${files.join(', ') || 'the pod'} does not name a cluster and a user; contexts there: ${known}.`,
    );
  }
  allowPlainHttp(config);
  return config;
}

/**
 * Loaded only when a cluster is needed, and by the package's name: a bundle of a command line has
 * one place for all its modules.
 */
function emptyConfig(): KubeConfig {
  const loaded = createRequire(__filename)(
    '@ovn-steward/systems/kubernetes/kube-config',
  ) as typeof import('./kube-config');
  return loaded.emptyKubeConfig();
}

function defaultFiles(): string[] {
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((it) => it !== '');
  if (named.length > 0) return named.map((it) => resolve(it));
  const usual = join(homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

function addFile(config: KubeConfig, path: string): void {
  if (!existsSync(path)) throw new Failure('input-not-found', `No kubeconfig at ${path}.`);
  const file = emptyConfig();
  try {
    const text = readFileSync(path, 'utf8');
    file.loadFromString(text);
    file.makePathsAbsolute(dirname(path));
    followTokenFiles(file, parse(text), dirname(path));
    config.mergeConfig(file, config.currentContext !== undefined);
  } catch (error) {
    throw new Failure(
      'config-invalid',
      `Kubeconfig ${path} cannot be read as one. Try kubectl config view with it.`,
      { cause: error },
    );
  }
}

/**
 * A user's `tokenFile` goes before its `token` (client-go clientcmd/api User); client-node reads
 * another spelling, and only once.
 */
function followTokenFiles(config: KubeConfig, file: unknown, folder: string): void {
  const users = isRecord(file) && Array.isArray(file['users']) ? file['users'] : [];
  for (const entry of users.filter(isRecord)) {
    const tokenFile = isRecord(entry['user']) ? entry['user']['tokenFile'] : undefined;
    const user = config.getUser(String(entry['name']));
    if (typeof tokenFile !== 'string' || !user) continue;
    Object.assign(user, {
      token: undefined,
      authProvider: { name: 'tokenFile', config: { tokenFile: resolve(folder, tokenFile) } },
    });
  }
}

function serverOf(config: KubeConfig): URL {
  const cluster = config.getCurrentCluster();
  if (!cluster || !URL.canParse(cluster.server))
    throw new Failure(
      'config-invalid',
      `Cluster ${cluster?.name} of the kubeconfig has no usable server address.`,
    );
  return new URL(cluster.server);
}

/**
 * Plain HTTP carries the token in the clear: allowed to this machine (kubectl proxy, tests), or
 * where the kubeconfig turns the TLS check off.
 */
function allowPlainHttp(config: KubeConfig): void {
  const cluster = config.getCurrentCluster();
  const server = serverOf(config);
  if (server.protocol !== 'http:' || !cluster || cluster.skipTLSVerify) return;
  if (!['localhost', '127.0.0.1', '[::1]'].includes(server.hostname)) {
    throw new Failure(
      'config-invalid',
      `Cluster ${cluster.name} of the kubeconfig is plain http://${server.host}: use https, or set insecure-skip-tls-verify if that is meant.`,
    );
  }
  Object.assign(cluster, { skipTLSVerify: true });
}
