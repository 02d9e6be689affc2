import type { RequestOptions } from 'node:https';
import type { KubeAccess } from '../kubernetes/kube-request';

/**
 * The bearer token by which we prove our identity to the API server; undefined where we do so by
 * something else, such as a certificate.
 * @throws as reading credentials does.
 */
export async function ownToken(access: KubeAccess): Promise<string | undefined> {
  const options: RequestOptions = { headers: {} };
  await access.authenticate(options);
  const headers = options.headers as Readonly<Record<string, unknown>>;
  const name = Object.keys(headers).find((it) => it.toLowerCase() === 'authorization');
  const value = name === undefined ? undefined : headers[name];
  return typeof value === 'string' ? /^Bearer (\S+)$/i.exec(value)?.[1] : undefined;
}
