import Ajv2020 from 'ajv/dist/2020';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { lookAt } from '../testing/truth';
import type { Answers } from './answers';
import { createAnswers } from './answers';
import { HttpController } from './http.controller';
import { createMetrics } from './metrics';
import { openApiDocument, ROUTES } from './openapi';

type Operation = { responses: Record<string, { content: Record<string, { schema?: { $ref: string } }> }> };
const document = openApiDocument('1.2.3') as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, object> } };

const STREAMS = ['ovn-nb', 'kubernetes/Pod'];
let answers: Answers;
let failure: string | undefined;
beforeAll(async () => {
  const engine = await lookAt('leaky');
  const clock = (): Date => new Date('2030-01-01T00:00:00Z');
  answers = createAnswers({ version: '1.2.3', cluster: 'test', picture: () => engine, expected: { streams: STREAMS, staleAfterMs: 1 }, clock, metrics: createMetrics('1.2.3', new Map()), eventLoopDelay: () => new Map(), failure: () => failure });
});

test('it names every route the server has, and no other', () => {
  const methods = Object.getOwnPropertyNames(HttpController.prototype).filter((it) => it !== 'constructor').map((it) => (HttpController.prototype as unknown as Record<string, object>)[it]!).filter((it) => Reflect.hasMetadata(PATH_METADATA, it));
  const served = methods.map((it) => `${RequestMethod[Reflect.getMetadata(METHOD_METADATA, it) as number]} /${(Reflect.getMetadata(PATH_METADATA, it) as string).replace(/:(\w+)/g, '{$1}')}`);
  const described = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  expect(served.sort()).toEqual(described.sort());
  expect(ROUTES.length).toBe(7);
  expect(served.every((it) => it.startsWith('GET '))).toBe(true);
});

describe('answers are what it says', () => {
  const ajv = new Ajv2020({ strict: false });
  beforeAll(() => { ajv.addSchema({ $id: 'openapi', ...document }); });

  it.each<[string, number, () => { status: number; body: object }]>([
    ['/livez', 200, () => answers.livez()],
    ['/livez', 503, () => { failure = 'disk full'; try { return answers.livez(); } finally { failure = undefined; } }],
    ['/readyz', 503, () => answers.readyz()],
    ['/findings', 200, () => answers.findings({ limit: '3' })],
    ['/findings', 400, () => answers.findings({ limit: '-1', [`x\u001b${'y'.repeat(5000)}`]: '1' })],
    ['/findings/{id}', 200, () => answers.finding((answers.findings({}).body as { findings: { id: string }[] }).findings[0]!.id)],
    ['/findings/{id}', 404, () => answers.finding('__proto__')],
    ['/status', 200, () => answers.status()],
  ])('%s %i', (path, status, ask) => {
    const answer = ask();
    expect(answer.status).toBe(status);
    const { $ref } = document.paths[path]!['get']!.responses[String(status)]!.content['application/json']!.schema!;
    const valid = ajv.getSchema(`openapi${$ref}`)!;
    expect(valid(JSON.parse(JSON.stringify(answer.body))) || valid.errors).toBe(true);
    expect(valid({})).toBe(false);
  });

  it('and a refusal is short and shows no control characters', () => {
    const { body } = answers.findings({ [`x\u001b${'y'.repeat(5000)}`]: '1' });
    expect(JSON.stringify(body).length).toBeLessThan(500);
    expect((body as { message: string }).message).not.toMatch(/[\u0000-\u001f]/);
  });
});

test('every reference leads somewhere', () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((it) => it[1]!);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((it) => !Object.hasOwn(document.components.schemas, it))).toEqual([]);
  expect(text).not.toContain('"$id"');
});
