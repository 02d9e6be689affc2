import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeFailure, UnansweredFailure } from './kube-failure';
import {
  bytesOf,
  firstBytes,
  type KubeAccess,
  type KubeRequest,
  sendRequest,
} from './kube-request';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serving(listener: RequestListener): Promise<KubeAccess> {
  server = createServer(listener);
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  return accessTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const accessTo = (url: string): KubeAccess => ({
  server: new URL(url),
  authenticate: async () => undefined,
  renew: () => undefined,
});
const LIMITS = { connectMs: 500, idleMs: 150 };
const never = new AbortController().signal;
const REMOVAL: KubeRequest = { method: 'DELETE', path: '/api/v1/pods/x', body: '{}' };
const failing = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect(true).toBe(false),
    (error: unknown) => error,
  );

test('sends a body of the type it is given', async () => {
  const access = await serving(
    (request, response) =>
      void request
        .resume()
        .on('end', () => response.end(`${request.method} ${request.headers['content-type']}`)),
  );
  const send = async (requested: KubeRequest): Promise<string> =>
    firstBytes(bytesOf(await sendRequest(access, requested, [200], LIMITS, never), '', 150), 100);
  expect(
    await send({
      method: 'PATCH',
      path: '/',
      body: '[]',
      contentType: 'application/json-patch+json',
    }),
  ).toBe('PATCH application/json-patch+json');
  expect(await send(REMOVAL)).toBe('DELETE application/json');
});

test.each<[string, RequestListener]>([
  ['the connection breaks', (request) => request.socket.destroy()],
  ['the server is silent', () => undefined],
  ['what comes is not HTTP', (request) => request.socket.end('what?\r\n\r\n')],
])('a request that was on its way when %s is unanswered', async (_name, listener) => {
  expect(
    await failing(sendRequest(await serving(listener), REMOVAL, [200], LIMITS, never)),
  ).toBeInstanceOf(UnansweredFailure);
});

test('one that is given up on its way is unanswered, too', async () => {
  const given = new AbortController();
  const access = await serving(() => given.abort());
  expect(await failing(sendRequest(access, REMOVAL, [200], LIMITS, given.signal))).toBeInstanceOf(
    UnansweredFailure,
  );
});

test('one that never left is not', async () => {
  const access = await serving(() => undefined);
  await new Promise((closed) => server?.close(closed));
  const refused = await failing(sendRequest(access, REMOVAL, [200], LIMITS, never));
  expect(refused).toMatchObject({ code: 'source-unreachable' });
  expect(refused).not.toBeInstanceOf(UnansweredFailure);
});

test('a handshake that does not end is no request', async () => {
  const plain = await serving(() => undefined); // speaks no TLS
  const failure = await failing(
    sendRequest(
      accessTo(plain.server.href.replace('http:', 'https:')),
      REMOVAL,
      [200],
      LIMITS,
      never,
    ),
  );
  expect(failure).toBeInstanceOf(KubeFailure);
  expect(failure).not.toBeInstanceOf(UnansweredFailure);
});

test('a refusal has its status, also when the words of it are cut off', async () => {
  const access = await serving((request, response) => {
    response.writeHead(503, { 'content-length': 100 }).write('overl');
    setTimeout(() => request.socket.destroy(), 20);
  });
  expect(await failing(sendRequest(access, REMOVAL, [200], LIMITS, never))).toMatchObject({
    code: 'source-unreachable',
    status: 503,
  });
});
