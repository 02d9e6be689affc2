import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ApiAccess } from './api';

/** A kubeconfig (YAML) for one server and one user with a token. */
export function kubeconfigText(url: string, ca: string, token: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'testbed',
    clusters: [
      {
        name: 'testbed',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name: 'testbed', user: { token } }],
    contexts: [{ name: 'testbed', context: { cluster: 'testbed', user: 'testbed' } }],
  });
}

interface Named<T> {
  readonly name: string;
  readonly cluster?: T;
  readonly user?: T;
  readonly context?: T;
}

type Section = Readonly<Record<string, string | undefined>>;

/** Reads the current context of a kubeconfig; tokens and client certificates, no login plugins. */
export function readKubeconfig(file: string): ApiAccess {
  const config = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const section = (list: string, part: 'cluster' | 'user' | 'context', name: unknown): Section =>
    ((config[list] ?? []) as readonly Named<Section>[]).find((each) => each.name === name)?.[
      part
    ] ?? {};
  const context = section('contexts', 'context', config['current-context']);
  const cluster = section('clusters', 'cluster', context['cluster']);
  const user = section('users', 'user', context['user']);
  if (cluster['server'] === undefined)
    throw new Error(`${file}: the current context names no cluster with a server`);
  const pem = (from: Section, field: string): string | undefined => {
    const data = from[`${field}-data`];
    const path = from[field];
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    return path === undefined ? undefined : readFileSync(resolve(dirname(file), path), 'utf8');
  };
  const access = {
    ca: pem(cluster, 'certificate-authority'),
    token: user['token'],
    certificate: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
  };
  return {
    url: cluster['server'],
    ...Object.fromEntries(Object.entries(access).filter(([, value]) => value !== undefined)),
  };
}
