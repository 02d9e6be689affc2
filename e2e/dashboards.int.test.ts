import { describeWith, kafka, ovn, promtool } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { DASHBOARDS } from '../apps/steward/src/docs/dashboards/registry';
import { ONLY_SERVICES } from '../apps/steward/src/docs/grafana/dashboard';
import { DASHBOARD_QUERIES } from '../apps/steward/src/testing/dashboard-queries';
import { type ScrapedPipeline, startScrapedPipeline } from './support/scraped-pipeline';

/** As Grafana replaces the variables, with all values chosen. */
const replaced = (expr: string, job: string): string =>
  expr
    .replaceAll('$job', job)
    .replaceAll('$__rate_interval', '1m')
    .replaceAll(/\$(cluster|subnet|rule)\b/g, '.*');

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
            const result = await pipeline.prometheus.query(replaced(expr, job));
            return result.length > 0 ? result : undefined;
          },
          { what: `a result of ${replaced(expr, job)}`, timeoutMs: 20_000 },
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
            await pipeline.prometheus.query(replaced(expr.replace(right, wrong), 'sample')),
          ).toEqual([]);
      });
    });
  });
});
