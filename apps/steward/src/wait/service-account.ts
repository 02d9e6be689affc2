import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import type { ReadObject } from './still-missing';

/** Where the kubelet puts a pod's account. */
export const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How long one answer may take, and how long it may be. */
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 16 * 1024 * 1024;

const RESOURCES = {
  Subnet: ['/apis/kubeovn.io/v1', 'subnets'],
  Vpc: ['/apis/kubeovn.io/v1', 'vpcs'],
  Namespace: ['/api/v1', 'namespaces'],
  Pod: ['/api/v1', 'pods'],
} as const;

/**
 * Reads as this pod's account, with what Node brings and nothing else. The token is read again each
 * time: the kubelet replaces it.
 * @param env with KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, as in every pod.
 * @throws Failure `input-not-found` when this is no pod.
 */
export function readAsPod(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): ReadObject {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!host)
    throw new Failure(
      'input-not-found',
      'KUBERNETES_SERVICE_HOST is not set: this runs in a pod; elsewhere use steward wait with a kubeconfig.',
    );
  const fileOf = (name: string): string => mounted(join(folder, name));
  const ca = fileOf('ca.crt');
  return async (kind, namespace, name, signal) => {
    const [group, resource] = RESOURCES[kind];
    const path = `${group}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}/${name}`;
    const { status, text } = await get(
      {
        host,
        port,
        path,
        headers: {
          accept: 'application/json',
          'user-agent': 'ovn-steward-wait',
          authorization: `Bearer ${fileOf('token').trim()}`,
        },
        ca,
        agent: false,
      },
      timeLimit(ANSWER_MS, signal),
    );
    const body = parsed(text);
    if (status === 200 && body?.kind === kind && body.metadata?.name === name) return body;
    // Of this very object, or it proves no absence: a resource that is not served is answered with
    // 404 too.
    if (
      status === 404 &&
      body?.reason === 'NotFound' &&
      body.details?.name === name &&
      body.details.kind === resource
    )
      return undefined;
    throw new Failure(
      'source-unreachable',
      `GET ${path} was answered with HTTP ${status}${status === 403 ? ': the service account may not; see deploy/wait/rbac.yaml' : status === 404 ? ': the cluster does not serve that kind' : ''}.`,
    );
  };
}

function mounted(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Failure(
      'input-not-found',
      `${path} cannot be read: the pod needs a service account whose token is mounted (automountServiceAccountToken).`,
    );
  }
}

interface Body {
  readonly kind?: string;
  readonly reason?: string;
  readonly metadata?: { readonly name?: string };
  readonly details?: { readonly name?: string; readonly kind?: string };
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

/** @throws Failure `source-unreachable` for anything but a whole answer. */
function get(
  options: RequestOptions & { readonly path: string },
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void =>
      reject(
        new Failure(
          'source-unreachable',
          `GET ${options.path} of ${String(options.host)} failed: ${signal.aborted ? `no answer within ${ANSWER_MS / 1000} s` : messageOf(error)}.`,
        ),
      );
    const sent = request({ ...options, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if ((text += chunk).length > ANSWER_BYTES)
          response.destroy(new Error('the answer is too large'));
      });
      response
        .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        .on('error', failed);
    });
    sent.on('error', failed).end();
  });
}
