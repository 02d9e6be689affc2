import { once } from 'node:events';
import { get, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { httpModule, startHttp } from './http.module';
import type { HttpServer } from './http.module';
import { openApiDocument } from './openapi';
import { problem } from './problem';
import type { Route } from './route';
import { BAD_QUERY, route } from './route';
import { livezRoute, Liveness, metricsRoute, openApiRoute } from './shell-routes';

const Query = z.strictObject({
  limit: z.coerce.number().int().min(1).default(10).describe('At most so many.'),
  kind: z.enum(['a', 'b']).optional(),
});
const Thing = z.object({ id: z.string(), limit: z.number() });

let failure: string | undefined;
let release: (() => void) | undefined;
const things = route({
  path: '/things',
  says: 'Things.',
  query: Query,
  responses: { 200: { says: 'Some.', schema: 'Thing' }, 400: BAD_QUERY },
  answer: ({ query }) => ({ status: 200, body: { id: query.kind ?? 'none', limit: query.limit } }),
});
const ROUTES: readonly Route[] = [
  livezRoute(() => failure),
  metricsRoute(() => Promise.resolve('up 1\n')),
  things,
  route({
    path: '/things/{id}/parts/{part}',
    says: 'A part.',
    pathParameters: { id: 'Whose.', part: 'Which.' },
    responses: { 200: { says: 'It.', schema: 'Thing' }, 404: { says: 'None.', schema: 'Problem' } },
    answer: ({ path }) =>
      path['id'] === 'known'
        ? { status: 200, body: { id: path['part']!, limit: 1 } }
        : problem(404, `no ${path['id']}`),
  }),
  route({
    path: '/broken',
    says: 'Fails.',
    responses: { 200: { says: 'Never.' } },
    answer: () => {
      throw new Error('boom with a secret');
    },
  }),
  route({
    path: '/slow',
    says: 'Waits.',
    responses: { 200: { says: 'At last.' } },
    answer: () =>
      new Promise((resolve) => {
        release = () => resolve({ status: 200, body: {} });
      }),
  }),
  openApiRoute(() =>
    openApiDocument({
      title: 't',
      version: '1',
      description: 'd',
      routes: ROUTES,
      schemas: { Thing, Liveness },
    }),
  ),
];

const errors: string[] = [];
let server: HttpServer;
beforeAll(async () => {
  server = await startHttp(httpModule(ROUTES), { host: '127.0.0.1', port: 0 }, (it) => {
    errors.push(it);
  });
});
afterAll(async () => {
  await server.close();
});

async function ask(
  path: string,
  method = 'GET',
  port = server.port,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const url = `http://127.0.0.1:${port}${path}`;
  const sent =
    method === 'GET' ? get(url, { agent: false }) : request(url, { method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, headers: response.headers, text };
}

test('routes answer with their status, their type, and no headers that give something away', async () => {
  const it = await ask('/things');
  expect([it.status, JSON.parse(it.text)]).toEqual([200, { id: 'none', limit: 10 }]);
  expect(it.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(it.headers['x-powered-by']).toBeUndefined();
  expect((await ask('/metrics')).headers['content-type']).toMatch(/^text\/plain;.*version=0\.0\.4/);
  expect(JSON.parse((await ask('/things/known/parts/__proto__')).text)).toEqual({
    id: '__proto__',
    limit: 1,
  });
});

test('a query is read by its schema; what does not fit is refused, short and printable', async () => {
  expect(JSON.parse((await ask('/things?limit=3&kind=b')).text)).toEqual({ id: 'b', limit: 3 });
  for (const query of [
    'limit=0',
    'kind=c',
    'limit=1&limit=2',
    'other=1',
    '__proto__[x]=1',
    `x%1b${'y'.repeat(3000)}=1`,
  ]) {
    const { status, text } = await ask(`/things?${query}`);
    expect([query.slice(0, 20), status]).toEqual([query.slice(0, 20), 400]);
    expect(text.length).toBeLessThan(600);
    expect(text).not.toContain('\\u001b[');
  }
});

test('nothing but reading is possible', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await ask('/things', method)).status).toBe(404);
  expect((await ask('/nothing')).status).toBe(404);
  expect((await ask('/things/other/parts/1')).status).toBe(404);
});

test('liveness turns with the failure', async () => {
  expect((await ask('/livez')).text).toBe('{"status":"alive"}');
  failure = 'disk\u001b full';
  expect(await ask('/livez')).toMatchObject({
    status: 503,
    text: '{"status":"failed","detail":"disk\\\\u001b full"}',
  });
  failure = undefined;
});

test('an answer that fails by our fault tells the caller nothing and us the reason', async () => {
  const { status, text } = await ask('/broken');
  expect([status, text]).toEqual([500, '{"statusCode":500,"message":"Internal server error"}']);
  expect(errors.join()).toContain('boom');
});

test('every route is in the document, with its query, its path parameters and its schemas', async () => {
  const document = JSON.parse((await ask('/openapi.json')).text) as {
    paths: Record<string, { get: { parameters: object[]; responses: object } }>;
    components: { schemas: object };
  };
  expect(Object.keys(document.paths)).toEqual(ROUTES.map((it) => it.path));
  expect(document.paths['/things']!.get.parameters).toEqual([
    expect.objectContaining({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'At most so many.',
    }),
    expect.objectContaining({ name: 'kind', in: 'query' }),
  ]);
  expect(document.paths['/things/{id}/parts/{part}']!.get.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'part', in: 'path' },
  ]);
  expect(Object.keys(document.components.schemas)).toEqual(['Liveness', 'Problem', 'Thing']);
  expect(() =>
    openApiDocument({ title: 't', version: '1', description: 'd', routes: ROUTES, schemas: {} }),
  ).toThrow('/livez answers with Liveness');
});

test('closing ends what never ends, lets an answer under way be given, and then nobody answers', async () => {
  const own = await startHttp(httpModule(ROUTES), { host: '127.0.0.1', port: 0 }, () => undefined);
  const idle = connect(own.port, '127.0.0.1').on('error', () => undefined);
  await once(idle, 'connect');
  idle.write('GET /things HTTP/1.1\r\nHost: a\r\n'); // a request that is never finished
  const slow = ask('/slow', 'GET', own.port);
  while (!release) await sleep(5);
  const closing = own.close();
  release();
  expect((await slow).status).toBe(200);
  await Promise.all([closing, own.close()]);
  await expect(ask('/things', 'GET', own.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
