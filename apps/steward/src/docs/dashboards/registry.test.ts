import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMeter } from '@ovn-steward/service/meter/meter';
import { DASHBOARD_QUERIES } from '../../testing/dashboard-queries';
import { ROOT } from '../../testing/pages';
import { FROM_PROMETHEUS, groupedBy, labelsIn, seriesIn } from '../../testing/promql';
import { DEFINED_SERIES } from '../../series/defined-series';
import { DASHBOARDS } from './registry';

test('the registry has every file of the folder, and the chart has every dashboard', () => {
  const names = DASHBOARDS.map((it) => it.name).sort();
  expect(names).toEqual(
    readdirSync(__dirname)
      .filter((it) => it.endsWith('.ts') && !it.startsWith('registry'))
      .map((it) => it.replace('.ts', '')),
  );
  const shipped = readdirSync(join(ROOT, 'deploy/helm/ovn-steward/files/dashboards'));
  expect(shipped.sort()).toEqual(names.map((it) => `${it}.json`));
});

test('each dashboard has its picture, and no other is there', () => {
  expect(readdirSync(join(ROOT, 'docs/pictures')).sort()).toEqual(
    DASHBOARDS.map((it) => `${it.name}.png`).sort(),
  );
});

test('a title occurs once in its dashboard, and each panel says what it answers', () => {
  for (const { sections } of DASHBOARDS) {
    const panels = sections.flatMap((it) => it.panels);
    expect(new Set(panels.map((it) => it.title)).size).toBe(panels.length);
    expect(panels.filter((it) => !/[?.]$/.test(it.answers))).toEqual([]);
  }
});

test('the series of a query are defined', async () => {
  const ofProcess = await createMeter([], { process: true }).text();
  const requested = DASHBOARD_QUERIES.flatMap(({ expr }) => seriesIn(expr));
  expect(requested.length).toBeGreaterThan(80);
  expect(
    requested.filter((it) => !DEFINED_SERIES.has(it) && !ofProcess.includes(`# TYPE ${it} `)),
  ).toEqual([]);
});

test.each(DASHBOARD_QUERIES)(
  '$name uses labels that its series have, and names lines by some',
  (query) => {
    const labels: readonly string[] = [
      ...FROM_PROMETHEUS,
      ...seriesIn(query.expr).flatMap((it) => DEFINED_SERIES.get(it)?.labels ?? []),
    ];
    expect(labelsIn(query.expr).filter((it) => !labels.includes(it))).toEqual([]);
    expect(query.shown.filter((it) => !groupedBy(query.expr).includes(it))).toEqual([]);
  },
);

test('the values of a variable come from a series that has the label', () => {
  for (const { name, of } of DASHBOARDS.flatMap((it) => it.variables))
    expect([...(DEFINED_SERIES.get(of)?.labels ?? []), ...FROM_PROMETHEUS]).toContain(name);
});
