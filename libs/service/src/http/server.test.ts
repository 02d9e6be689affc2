import { once } from 'node:events';
import { get, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Module, Param, Query, type Type } from '@nestjs/common';
import { z } from 'zod';
import { FAILURE, LivenessController } from '../health/liveness.controller';
import { METER, MetricsController } from '../meter/metrics.controller';
import { ApiAnswer, ApiQueryOf, ApiSchemas, ApiSummary } from './api';
import { createHttpApp, type HttpApp } from './http-server';
import { openApiDocument } from './openapi';
import { OpenApi, OpenApiController } from './openapi.controller';
import { problem } from './problem';
import { QueryPipe } from './query-pipe';

const ThingsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).default(10).describe('At most so many.'),
  kind: z.enum(['a', 'b']).optional(),
});
const Thing = z.object({ id: z.string(), limit: z.number() });
type Thing = z.infer<typeof Thing>;

let failure: string | undefined;
let release: (() => void) | undefined;

@Controller()
@ApiSchemas({ Thing })
class ThingsController {
  @Get('things')
  @ApiSummary('Things.')
  @ApiQueryOf(ThingsQuery)
  @ApiAnswer(200, 'Some.', 'Thing')
  list(@Query(new QueryPipe(ThingsQuery)) query: z.output<typeof ThingsQuery>): Thing {
    return { id: query.kind ?? 'none', limit: query.limit };
  }

  @Get('things/:id/parts/:part')
  @ApiSummary('A part.')
  @ApiAnswer(200, 'It.', 'Thing')
  @ApiAnswer(404, 'None.', 'Problem')
  part(@Param('id') id: string, @Param('part') part: string): Thing {
    if (id !== 'known') throw problem(404, `no ${id}`);
    return { id: part, limit: 1 };
  }

  @Get('broken')
  @ApiSummary('Fails.')
  broken(): never {
    throw new Error('boom with a secret');
  }

  @Get('slow')
  @ApiSummary('Waits.')
  slow(): Promise<object> {
    return new Promise((resolve) => {
      release = () => resolve({});
    });
  }
}

@Module({
  controllers: [LivenessController, MetricsController, ThingsController, OpenApiController],
  providers: [
    OpenApi,
    { provide: FAILURE, useValue: () => failure },
    { provide: METER, useValue: { text: () => Promise.resolve('up 1\n') } },
  ],
})
class ThingsModule {}

const ABOUT = { title: 't', version: '1', description: 'd' };
const errors: string[] = [];
let app: HttpApp;
let port = 0;
const started = async (module: Type): Promise<HttpApp> => {
  const made = await createHttpApp(module, (message) => void errors.push(message));
  made.nest.get(OpenApi).document = openApiDocument(made.nest, ABOUT);
  return made;
};
beforeAll(async () => {
  app = await started(ThingsModule);
  port = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
});

async function send(
  path: string,
  method = 'GET',
  at = port,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const url = `http://127.0.0.1:${at}${path}`;
  const sent =
    method === 'GET' ? get(url, { agent: false }) : request(url, { method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, headers: response.headers, text };
}

test('routes answer with their status, their type, and no headers that give something away', async () => {
  const answer = await send('/things');
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { id: 'none', limit: 10 }]);
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers['x-powered-by']).toBeUndefined();
  expect((await send('/metrics')).headers['content-type']).toMatch(
    /^text\/plain;.*version=0\.0\.4/,
  );
  expect(JSON.parse((await send('/things/known/parts/__proto__')).text)).toEqual({
    id: '__proto__',
    limit: 1,
  });
});

test('a query is read by its schema; what does not fit is refused, short and printable', async () => {
  expect(JSON.parse((await send('/things?limit=3&kind=b')).text)).toEqual({ id: 'b', limit: 3 });
  for (const query of [
    'limit=0',
    'kind=c',
    'limit=1&limit=2',
    'other=1',
    '__proto__[x]=1',
    `x%1b${'y'.repeat(3000)}=1`,
  ]) {
    const { status, text } = await send(`/things?${query}`);
    expect([query.slice(0, 20), status]).toEqual([query.slice(0, 20), 400]);
    expect(text.length).toBeLessThan(600);
    expect(text).not.toContain('\\u001b[');
  }
});

test('a parameter that is given twice is refused by its name', async () => {
  const { status, text } = await send('/things?limit=1&limit=2');
  expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
    400,
    'limit: is given more than once: give it once',
  ]);
});

test('nothing but reading is possible, and the answer says what is', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers, text } = await send('/things', method);
    expect([status, headers.allow, JSON.parse(text)]).toEqual([
      405,
      'GET, HEAD',
      {
        statusCode: 405,
        error: 'Method Not Allowed',
        message: `/things does not answer ${method}: use GET, HEAD`,
      },
    ]);
  }
  expect((await send('/things/known/parts/1?x=1', 'DELETE')).status).toBe(405);
  expect((await send('/nothing', 'POST')).status).toBe(404);
  expect((await send('/things', 'HEAD')).status).toBe(200);
  expect((await send('/nothing')).status).toBe(404);
  expect((await send('/things/other/parts/1')).status).toBe(404);
});

test('liveness turns with the failure', async () => {
  expect((await send('/livez')).text).toBe('{"status":"alive"}');
  failure = 'disk\u001b full';
  expect(await send('/livez')).toMatchObject({
    status: 503,
    text: '{"status":"failed","detail":"disk\\\\u001b full"}',
  });
  failure = undefined;
});

test('an answer that fails by our fault shows the caller nothing and logs the reason', async () => {
  const { status, text } = await send('/broken');
  expect([status, text]).toEqual([500, '{"statusCode":500,"message":"Internal server error"}']);
  expect(errors.join()).toContain('boom');
});

test('every route is in the document, with its query, its path parameters and its schemas', async () => {
  const document = JSON.parse((await send('/openapi.json')).text) as {
    paths: Record<string, { get: { parameters: object[]; responses: object } }>;
    components: { schemas: object };
  };
  expect(Object.keys(document.paths)).toEqual([
    '/livez',
    '/metrics',
    '/things',
    '/things/{id}/parts/{part}',
    '/broken',
    '/slow',
    '/openapi.json',
  ]);
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
});

test('an answer whose schema no controller declares is an error of ours', async () => {
  @Controller()
  class Nameless {
    @Get('things')
    @ApiAnswer(200, 'Some.', 'Thing')
    list(): object {
      return {};
    }
  }
  @Module({ controllers: [Nameless], providers: [OpenApi] })
  class NamelessModule {}
  await expect(started(NamelessModule)).rejects.toThrow(
    'An answer names the schema Thing, which no controller declares',
  );
});

test('closing ends what never ends, lets an answer under way be given, and then nobody answers', async () => {
  const own = await started(ThingsModule);
  const ownPort = await own.listen({ host: '127.0.0.1', port: 0 });
  const idle = connect(ownPort, '127.0.0.1').on('error', () => undefined);
  await once(idle, 'connect');
  idle.write('GET /things HTTP/1.1\r\nHost: a\r\n'); // a request that is never finished
  const slow = send('/slow', 'GET', ownPort);
  while (!release) await sleep(5);
  const closing = own.close();
  release();
  expect((await slow).status).toBe(200);
  await Promise.all([closing, own.close()]);
  await expect(send('/things', 'GET', ownPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
