import Ajv2020 from 'ajv/dist/2020';
import type { HttpApp } from '@ovn-steward/service/http/http-server';
import type { Answer } from '@ovn-steward/service/testing/http-app';
import { observeAt } from '../testing/truth';
import { runApp, stewardOpenApi } from './run-openapi';

type Operation = {
  responses: Record<string, { content: Record<string, { schema?: { $ref: string } }> }>;
};
let document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

const STREAMS = ['ovn-nb', 'kubernetes/Pod'];
let app: HttpApp;
let port = 0;
let failure: string | undefined;
beforeAll(async () => {
  document = (await stewardOpenApi('1.2.3')) as typeof document;
  const engine = await observeAt('leaky');
  app = await runApp(
    {
      version: '1.2.3',
      cluster: 'test',
      picture: () => engine,
      expected: { streams: STREAMS, staleAfterMs: 1 },
      clock: () => new Date('2030-01-01T00:00:00Z'),
      metrics: () => Promise.resolve(''),
      holds: () => null,
      unsettled: () => [],
      deciding: () => undefined,
      notifier: () => null,
      access: undefined,
      onRefused: () => undefined,
      failure: () => failure,
    },
    () => undefined,
  );
  port = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const requested = async (path: string, query: Record<string, string> = {}): Promise<Answer> => {
  const response = await fetch(
    `http://127.0.0.1:${port}${path}?${new URLSearchParams(query).toString()}`,
    { headers: { connection: 'close' } },
  );
  return { status: response.status, body: await response.json() };
};

test('it names every route', () => {
  expect(Object.keys(document.paths)).toEqual([
    '/livez',
    '/readyz',
    '/metrics',
    '/findings',
    '/findings/{id}',
    '/unknowns',
    '/sources',
    '/subnets',
    '/subnets/{name}/addresses',
    '/status',
    '/actions',
    '/actions/{id}',
    '/decisions',
    '/decisions/{id}/heard',
    '/openapi.json',
  ]);
  expect(
    Object.entries(document.paths).filter(([, methods]) =>
      Object.keys(methods).some((it) => it !== 'get'),
    ),
  ).toEqual([['/decisions', { get: expect.anything(), post: expect.anything() }]]);
});

describe('answers are what it says', () => {
  const ajv = new Ajv2020({ strict: false });
  beforeAll(() => {
    ajv.addSchema({ $id: 'openapi', ...document });
  });

  it.each<[string, number, () => Promise<Answer>]>([
    ['/livez', 200, () => requested('/livez')],
    [
      '/livez',
      503,
      () => {
        failure = 'disk full';
        return requested('/livez').finally(() => {
          failure = undefined;
        });
      },
    ],
    ['/readyz', 503, () => requested('/readyz')],
    ['/findings', 200, () => requested('/findings', { limit: '3' })],
    [
      '/findings',
      400,
      () => requested('/findings', { limit: '-1', [`x\u001b${'y'.repeat(5000)}`]: '1' }),
    ],
    [
      '/findings/{id}',
      200,
      async () =>
        requested(
          `/findings/${((await requested('/findings')).body as { findings: { id: string }[] }).findings[0]!.id}`,
        ),
    ],
    ['/findings/{id}', 404, () => requested('/findings/__proto__')],
    ['/status', 200, () => requested('/status')],
  ])('%s %i', async (path, status, answering) => {
    const answer = await answering();
    expect(answer.status).toBe(status);
    const { $ref } =
      document.paths[path]!['get']!.responses[String(status)]!.content['application/json']!.schema!;
    const valid = ajv.getSchema(`openapi${$ref}`)!;
    expect(valid(JSON.parse(JSON.stringify(answer.body))) || valid.errors).toBe(true);
    expect(valid({})).toBe(false);
  });

  it('and a refusal is short and shows no control characters', async () => {
    const { body } = await requested('/findings', { [`x\u001b${'y'.repeat(5000)}`]: '1' });
    expect(JSON.stringify(body).length).toBeLessThan(500);
    expect((body as { message: string }).message).not.toMatch(/[\u0000-\u001f]/);
  });
});

test('every reference leads somewhere', () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    (it) => it[1]!,
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((it) => !Object.hasOwn(document.components.schemas, it))).toEqual([]);
  expect(text).not.toContain('"$id"');
});

test('a decision that is too long for the body parser is answered as described', () => {
  expect(document.paths['/decisions']!['post']!.responses).toHaveProperty('413');
});
