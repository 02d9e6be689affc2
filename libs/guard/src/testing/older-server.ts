import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeAccess } from '@ovn-steward/systems/kubernetes/kube-request';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';

const GROUP = '/apis/admissionregistration.k8s.io';
const POLICIES = /^(validating|mutating)admissionpolic/;

/**
 * A door to an API server, through which it looks like one of an older Kubernetes: its discovery
 * has admission policies as a beta, or not at all, and under v1 they are not found.
 */
export async function olderServer(
  { url, ca, token }: KubernetesServer,
  policies: 'v1beta1' | 'absent',
): Promise<{ readonly access: KubeAccess; stop(): void }> {
  const forward = (
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body: string,
  ): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      request(
        `${url}${path}`,
        { method, ca, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
        (answer) =>
          void textOf(answer).then(
            (it) => resolve({ status: answer.statusCode ?? 500, body: it }),
            reject,
          ),
      )
        .on('error', reject)
        .end(body);
    });
  const answer = async (
    from: IncomingMessage,
    body: string,
  ): Promise<{ status: number; body: string }> => {
    const method = from.method ?? 'GET';
    const path = from.url ?? '';
    const [, version = '', rest = ''] =
      new RegExp(`^${GROUP}/(v1beta1|v1)(?:/(.*))?$`).exec(path) ?? [];
    if (path === GROUP && policies === 'v1beta1') {
      const group = JSON.parse((await forward(method, path, from.headers, body)).body) as {
        versions: object[];
      };
      return {
        status: 200,
        body: JSON.stringify({
          ...group,
          versions: [
            ...group.versions,
            { groupVersion: 'admissionregistration.k8s.io/v1beta1', version: 'v1beta1' },
          ],
        }),
      };
    }
    if (version === 'v1' && rest === '') {
      const list = JSON.parse((await forward(method, path, from.headers, body)).body) as {
        resources: { name: string }[];
      };
      return {
        status: 200,
        body: JSON.stringify({
          ...list,
          resources: list.resources.filter((it) => !POLICIES.test(it.name)),
        }),
      };
    }
    if (
      (version === 'v1' && POLICIES.test(rest)) ||
      (version === 'v1beta1' && policies === 'absent')
    )
      return { status: 404, body: '404 page not found' };
    if (version !== 'v1beta1') return forward(method, path, from.headers, body);
    if (
      body !== '' &&
      method === 'POST' &&
      !body.includes('"admissionregistration.k8s.io/v1beta1"')
    )
      return {
        status: 400,
        body: '{"kind":"Status","reason":"BadRequest","message":"the API version in the data does not match the expected API version"}',
      };
    const real = await forward(
      method,
      path.replace('/v1beta1', '/v1'),
      from.headers,
      body.replaceAll('admissionregistration.k8s.io/v1beta1', 'admissionregistration.k8s.io/v1'),
    );
    return {
      ...real,
      body: real.body.replaceAll(
        'admissionregistration.k8s.io/v1"',
        'admissionregistration.k8s.io/v1beta1"',
      ),
    };
  };
  const door = createServer(
    (from, to) =>
      void textOf(from)
        .then((body) => answer(from, body))
        .then(
          ({ status, body }) =>
            to.writeHead(status, { 'content-type': 'application/json' }).end(body),
          () => to.destroy(),
        ),
  );
  await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready));
  return {
    access: {
      server: new URL(`http://127.0.0.1:${(door.address() as AddressInfo).port}`),
      authenticate: async (options) =>
        void (options.headers = { ...options.headers, authorization: `Bearer ${token}` }),
      renew: () => undefined,
    },
    stop() {
      door.closeAllConnections();
      door.close();
    },
  };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
