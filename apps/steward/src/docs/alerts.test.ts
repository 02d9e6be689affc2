import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEFINED_SERIES } from '../series/defined-series';
import { anchorsOf, pageText, ROOT } from '../testing/pages';
import { FROM_PROMETHEUS, labelsIn, seriesIn } from '../testing/promql';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown =>
  parse(readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8'));
const RULES = (read('rules.yaml') as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (it) => it.rules,
);
const ALERTS = RULES.filter((it) => it.alert !== undefined);
const RECORDED = RULES.flatMap((it) => it.record ?? []);
const PAGE = pageText('docs/alerts.md');

test('the rules ask for series there are', () => {
  const requested = RULES.flatMap(({ expr }) => seriesIn(expr));
  expect(requested.length).toBeGreaterThan(40);
  expect(requested.filter((it) => !DEFINED_SERIES.has(it))).toEqual([]);
  const recorded = RULES.flatMap(({ expr }) => expr.match(/\bsteward:\w+(:\w+)*/g) ?? []);
  expect(recorded.filter((it) => !RECORDED.includes(it))).toEqual([]);
});

test.each(RULES.map((it) => [it.alert ?? it.record!, it] as const))(
  '%s groups and chooses by labels that its series have',
  (_, { expr }) => {
    const labels = new Set(
      seriesIn(expr).flatMap((series) => [
        ...(DEFINED_SERIES.get(series)?.labels ?? []),
        ...FROM_PROMETHEUS,
      ]),
    );
    expect(labelsIn(expr).filter((it) => labels.size > 0 && !labels.has(it))).toEqual([]);
  },
);

test.each(ALERTS.map((it) => [it.alert!, it] as const))(
  '%s has a severity, two sentences, and a page that begins with what to type',
  (name, { labels, annotations }) => {
    expect(['critical', 'warning', 'info']).toContain(labels?.['severity']);
    expect(Object.keys(annotations ?? {})).toEqual(['summary', 'description', 'runbook']);
    expect(annotations!['runbook']).toBe(`docs/alerts.md#${name.toLowerCase()}`);
    expect(anchorsOf('docs/alerts.md')).toContain(name.toLowerCase());
    expect(PAGE).toMatch(new RegExp(`^### ${name}\n\n\`\`\`sh\n`, 'm'));
  },
);

test('the page has no alert that is not there, and all objectives', () => {
  const headings = [...PAGE.matchAll(/^### (\w+)$/gm)].map((it) => it[1]!);
  expect(headings).toEqual(ALERTS.map((it) => it.alert));
  for (const name of RECORDED) expect(PAGE).toContain(`| \`${name}\` |`);
});

test('each alert is tried firing and quiet', () => {
  const tried = ['rules.test.yaml', 'rules.hours.test.yaml'].flatMap((it) =>
    (read(it) as { tests: { name: string }[] }).tests.map(({ name }) => name),
  );
  expect(tried.sort()).toEqual(
    [
      ...ALERTS.flatMap(({ alert }) => [`${alert!} fires`, `${alert!} is quiet`]),
      'objectives',
    ].sort(),
  );
});
