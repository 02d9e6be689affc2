import { FindingsPage, FindingsQuery } from '@ovn-steward/analyzer';
import {
  CLUSTER_VIEWS,
  FindingsController,
  SourcesController,
  UnknownsController,
} from '@ovn-steward/analyzer/http';
import type { ClusterView, Picture } from '@ovn-steward/analyzer';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { startApp, type TestedApp } from '@ovn-steward/service/testing/http-app';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { pictureWith } from '../testing/picture';
import { observeAt } from '../testing/truth';

let engine: Engine;
let known: readonly Finding[] = [];
beforeAll(async () => {
  engine = await observeAt('leaky');
  known = engine.findings();
});

const view = (cluster: string, changed: Partial<Picture> = {}, ready = true): ClusterView => ({
  cluster,
  picture: pictureWith(engine, changed),
  ready,
});

let shown: readonly ClusterView[];
let app: TestedApp;
beforeAll(async () => {
  app = await startApp({
    controllers: [FindingsController, SourcesController, UnknownsController],
    providers: [{ provide: CLUSTER_VIEWS, useValue: () => shown }],
  });
});
afterAll(() => app.close());

const page = async (
  query: Readonly<Record<string, string | number>>,
  views: readonly ClusterView[] = [view('test')],
): Promise<FindingsPage> => {
  shown = views;
  const { status, body } = await app.ask('/findings', query);
  expect(status).toBe(200);
  return FindingsPage.parse(body);
};

test('pages of any size are all findings, each once, in the order of their ids', async () => {
  for (const limit of [1, 7, known.length, 1000]) {
    const seen: string[] = [];
    for (let after: string | undefined; seen.length <= known.length;) {
      const findingsPage = await page({ limit, ...(after === undefined ? {} : { after }) });
      expect(findingsPage.findings.length).toBeLessThanOrEqual(limit);
      expect(findingsPage.total).toBe(known.length);
      seen.push(...findingsPage.findings.map(({ id }) => id));
      if (findingsPage.next === null) break;
      after = findingsPage.next;
    }
    expect(seen).toEqual(known.map((it) => it.id).sort());
  }
});

test('filters narrow, and go together', async () => {
  const leaked = known.filter((it) => it.rule === 'leaked-ip');
  expect(leaked.length).toBeGreaterThan(0);
  expect(leaked.length).toBeLessThan(known.length);
  expect((await page({ rule: 'leaked-ip' })).total).toBe(leaked.length);
  expect((await page({ class: 'leak' })).findings.every((it) => it.class === 'leak')).toBe(true);
  expect((await page({ class: 'garbage', rule: 'leaked-ip' })).total).toBe(0);
  expect(
    (await page({ state: 'suspected' })).total + (await page({ state: 'confirmed' })).total,
  ).toBe(known.length);
});

test('resolved ones are shown only when asked for', async () => {
  const resolved: Finding = {
    ...known[0]!,
    id: 'f'.repeat(64),
    state: 'resolved',
    resolvedAt: '2026-01-01T00:00:00Z',
  };
  const views = [view('test', { resolved: () => [resolved] })];
  expect((await page({ limit: 1000 }, views)).findings).not.toContainEqual(resolved);
  expect((await page({ state: 'resolved' }, views)).findings).toEqual([resolved]);
});

test('of several clusters one may be asked for; what is said of all is what is true of each', async () => {
  const views = [
    view('a', { now: '2026-01-02T00:00:00Z' }),
    view('b', { findings: () => [known[0]!], now: '2026-01-01T00:00:00Z' }, false),
  ];
  expect(await page({ limit: 1 }, views)).toMatchObject({
    ready: false,
    asOf: '2026-01-01T00:00:00Z',
    total: known.length + 1,
  });
  expect(await page({ cluster: 'a' }, views)).toMatchObject({
    ready: true,
    asOf: '2026-01-02T00:00:00Z',
    total: known.length,
  });
  expect(await page({ cluster: 'b' }, views)).toMatchObject({ ready: false, findings: [known[0]] });
});

test.each(['/findings', '/unknowns', '/sources'])(
  '%s of a cluster that is not known is not an empty list',
  async (path) => {
    shown = [view('a'), view('b')];
    expect(await app.ask(path, { cluster: 'c' })).toEqual({
      status: 404,
      body: {
        statusCode: 404,
        error: 'Not Found',
        message: 'Nothing is known of the cluster c here',
      },
    });
    expect((await app.ask(path, { cluster: 'a' })).status).toBe(200);
    shown = [];
    expect((await app.ask(path)).status).toBe(200);
  },
);

test.each([
  { cluster: '' },
  { limit: 0 },
  { limit: 1001 },
  { limit: '' },
  { limit: 'x' },
  { limit: ['1', '2'] },
  { state: 'gone' },
  { class: 'constructor' },
  { rule: '' },
  { rule: 'x'.repeat(101) },
  { after: ['a', 'b'] },
  { unknown: 1 },
  JSON.parse('{"__proto__":"x"}'),
])('%j is refused', (query) => {
  expect(FindingsQuery.safeParse(query).success).toBe(false);
});
