import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKubeClient } from './kube-client';
import { retryAfterOf } from './kube-request';
import { readJson, TOO_LARGE } from './read-json';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serving(listener: RequestListener, path = ''): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
}

const limits = { connectMs: 10_000, idleMs: 10_000 };
const never = new AbortController().signal;
const clientOf = (url: URL, tokens = ['good'], { idleMs } = limits) => {
  const renewed: number[] = [];
  const access = {
    server: url,
    authenticate: async (options: { headers?: unknown }): Promise<void> => {
      options.headers = { authorization: `Bearer ${tokens[0]}` };
    },
    renew: () => {
      renewed.push(1);
      tokens.shift();
    },
  };
  return { client: createKubeClient(access, { ...limits, idleMs }), renewed };
};

test('asks below the path of the server, with credentials', async () => {
  const url = await serving(
    (request, response) =>
      response.end(
        JSON.stringify({ url: request.url, authorization: request.headers.authorization }),
      ),
    '/k8s/clusters/c-1/',
  );
  const { client } = clientOf(url);
  expect(await readJson(client, '/api/v1/pods?limit=1', never)).toEqual({
    url: '/k8s/clusters/c-1/api/v1/pods?limit=1',
    authorization: 'Bearer good',
  });
});

test('a refused token is renewed once', async () => {
  const url = await serving((request, response) => {
    response.statusCode = request.headers.authorization === 'Bearer new' ? 200 : 401;
    response.end('{}');
  });
  const { client, renewed } = clientOf(url, ['old', 'new']);
  expect(await readJson(client, '/api', never)).toEqual({});
  expect(renewed).toHaveLength(1);
  const refused = clientOf(url, ['old', 'older', 'oldest']);
  await expect(readJson(refused.client, '/api', never)).rejects.toMatchObject({
    code: 'source-refused',
  });
  expect(refused.renewed).toHaveLength(1);
});

test.each([
  ['not JSON', Buffer.from('<html>')],
  ['not UTF-8', Buffer.from('{"name":"m\u00fcnster"}', 'latin1')],
])('an answer that is %s is no answer', async (_, answer) => {
  const { client } = clientOf(await serving((_request, response) => response.end(answer)));
  await expect(readJson(client, '/api', never)).rejects.toMatchObject({
    code: 'source-broken',
    message: expect.stringContaining('not JSON in UTF-8'),
  });
});

test('silence before the answer, and inside it, ends the request', async () => {
  const url = await serving((request, response) => {
    if (request.url === '/mute') return;
    response.write('{');
  });
  const { client } = clientOf(url, ['good'], { ...limits, idleMs: 500 });
  await expect(readJson(client, '/mute', never)).rejects.toMatchObject({
    code: 'source-unreachable',
    message: expect.stringContaining('did not answer within 0.5 s'),
  });
  await expect(readJson(client, '/stalls', never)).rejects.toMatchObject({
    code: 'source-unreachable',
    message: expect.stringContaining('sent nothing for 0.5 s'),
  });
});

test('a slow answer on a connection that was used before is not a slow connection', async () => {
  let requested = 0;
  const url = await serving(
    (_request, response) =>
      void setTimeout(() => response.end('{}'), (requested += 1) > 1 ? 800 : 0),
  );
  const client = createKubeClient(
    { server: url, authenticate: async () => {}, renew: () => {} },
    { connectMs: 500, idleMs: 10_000 },
  );
  await readJson(client, '/', never);
  expect(await readJson(client, '/', never)).toEqual({});
});

test('an answer that is no JSON is broken', async () => {
  const url = await serving((_request, response) => response.end('<html>'));
  await expect(readJson(clientOf(url).client, '/', never)).rejects.toMatchObject({
    code: 'source-broken',
  });
});

test('a server that is not there says so in one sentence', async () => {
  const { client } = clientOf(await serving(() => {}));
  await new Promise((closed) => server?.close(closed));
  const error: unknown = await readJson(client, '/', never).catch((it: unknown) => it);
  expect(error).toMatchObject({ code: 'source-unreachable' });
  expect(String(error)).toBe(
    `Failure: ${client.server} does not answer (ECONNREFUSED): check the address and that the API server runs.`,
  );
});

test('an answer longer than asked for is not read to its end', async () => {
  const url = await serving((_request, response) =>
    response.end(JSON.stringify('x'.repeat(100_000))),
  );
  expect(await readJson(clientOf(url).client, '/', never, 50_000)).toBe(TOO_LARGE);
});

test('Retry-After is seconds or a date, and never more than ten minutes', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  expect(retryAfterOf('7', now)).toBe(7_000);
  expect(retryAfterOf('Sat, 21 Nov 2026 10:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterOf('Sat, 21 Nov 2026 09:00:00 GMT', now)).toBe(0);
  expect(retryAfterOf('99999999', now)).toBe(600_000);
  expect(retryAfterOf('soon', now)).toBeUndefined();
  expect(retryAfterOf(undefined, now)).toBeUndefined();
});
