import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, grafana, kafka, ovn, promtool } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { DASHBOARDS } from '../apps/steward/src/docs/dashboards/registry';
import { ONLY_SERVICES } from '../apps/steward/src/docs/grafana/dashboard';
import { DASHBOARD_QUERIES } from '../apps/steward/src/testing/dashboard-queries';
import { drawFor, shippedDashboard, withVariables } from './support/drawn-dashboards';
import { type ScrapedPipeline, startScrapedPipeline } from './support/scraped-pipeline';

/** Where the pictures of docs/dashboards.md go, when they are made anew; else they are thrown away. */
const PICTURES = process.env['STEWARD_PICTURES'];
/** How long the pipeline has then lived, in seconds: otherwise there is little to see. */
const LIVED = PICTURES === undefined ? 60 : 240;

/** As the head of a PNG says. */
const sizeOf = (file: string) => {
  const head = readFileSync(file).subarray(0, 24);
  expect(head.subarray(1, 4).toString()).toBe('PNG');
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
};

const always = DASHBOARD_QUERIES.filter((it) => it.empty === undefined);
const ofServices = DASHBOARD_QUERIES.filter((it) => it.empty === ONLY_SERVICES);

describeWith(ovn, 'with OVN', () => {
  describeWith(kafka, 'and Kafka', () => {
    describeWith(promtool, 'and Prometheus, the dashboards', () => {
      let pipeline: ScrapedPipeline;
      beforeAll(async () => {
        pipeline = await startScrapedPipeline();
      }, 180_000);
      afterAll(() => pipeline?.stop());

      const answers = (expr: string, job: string) =>
        waitFor(
          async () => {
            const result = await pipeline.prometheus.ask(withVariables(expr, job));
            // What stands still in the sample has a rate of 0, and so no quantile.
            const numbers = result.filter((it) => Number.isFinite(Number(it.value![1])));
            const given = job === 'sample' ? result : numbers;
            return given.length > 0 ? given.map((it) => it.metric) : undefined;
          },
          { what: `a number for ${withVariables(expr, job)}`, timeoutMs: 20_000 },
        );

      test.each([...always, ...ofServices])(
        'the services give something for $name',
        async ({ expr }) => {
          await answers(expr, 'services');
        },
      );

      test.each(always)('steward run gives something for $name', async ({ expr }) => {
        await answers(expr, 'run');
      });

      test.each(DASHBOARD_QUERIES)(
        'where every series is there, $name has a result with the labels it shows',
        async ({ expr, shown }) => {
          for (const labels of await answers(expr, 'sample'))
            expect(Object.keys(labels)).toEqual(expect.arrayContaining(shown));
        },
      );

      test.each(DASHBOARDS)('the variables of $name have values', async ({ variables }) => {
        for (const { name, of } of variables)
          expect(await pipeline.prometheus.labelValues(name, `${of}{job="services"}`)).not.toEqual(
            [],
          );
      });

      test('a misspelt series or label value gives nothing', async () => {
        const { expr } = DASHBOARD_QUERIES.find((it) => it.expr.includes('state="confirmed"'))!;
        await answers(expr, 'sample');
        for (const [right, wrong] of [
          ['steward_findings', 'steward_findngs'],
          ['confirmed', 'confirmd'],
        ] as const)
          expect(
            await pipeline.prometheus.query(withVariables(expr.replace(right, wrong), 'sample')),
          ).toEqual([]);
      });

      describeWith(grafana, 'and Grafana’s own components', () => {
        let folder: string;
        beforeAll(async () => {
          folder = PICTURES ?? mkdtempSync(join(tmpdir(), 'steward-pictures-'));
          await waitFor(() => Date.now() > pipeline.startedAt + LIVED * 1000, {
            what: 'the pipeline to have lived',
            timeoutMs: LIVED * 1000,
          });
        }, 700_000);
        afterAll(() => PICTURES ?? rmSync(folder, { recursive: true }));

        test.each(DASHBOARDS)('draw each panel of $name, in full', async ({ name, sections }) => {
          const dashboard = shippedDashboard(name);
          const of = { prometheus: pipeline.prometheus, job: 'services', seconds: LIVED };
          const drawn = await drawFor(of, dashboard, join(folder, `${name}.png`));
          const panels = sections.flatMap((it) => it.panels);
          expect(drawn.map((it) => it.title)).toEqual(panels.map((it) => it.title));
          expect(drawn.filter((it) => it.failed !== null || it.titleCut)).toEqual([]);
          expect(drawn.filter((it) => it.text.includes('No data'))).toEqual([]);
          for (const [index, { type, empty, title }] of panels.entries()) {
            const { graphs, rows, text } = drawn[index]!;
            if (empty !== undefined && text.includes(empty)) continue;
            const shown = { title, graphs, rows, text: text.replace(title, '').trim() };
            if (type === 'timeseries') expect(shown).toMatchObject({ graphs: 1 });
            else if (type === 'table')
              expect(shown.rows).toBeGreaterThan(1); // with its head
            else expect(shown.text).not.toBe('');
          }
          expect(sizeOf(join(folder, `${name}.png`)).width).toBe(1400);
        });
      });
    });
  });
});
