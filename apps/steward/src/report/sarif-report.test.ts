import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sarifReport } from './sarif-report';
import { smallAudit, smallReport } from './testing/small-report';

/**
 * Draft 4 names a schema by `id`, which later drafts read as `$id`; the schema uses nothing else
 * that they changed.
 */
function officialSchema(): object {
  const text = readFileSync(join(__dirname, 'testing/sarif-schema-2.1.0.json'), 'utf8');
  const { id, $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>;
  return { $id: id, ...schema };
}
const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text));
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { uri: (it) => URL.canParse(it), 'uri-reference': true, 'date-time': isDate },
});
const isSarif = ajv.compile(officialSchema());
interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  partialFingerprints: Readonly<Record<string, string>>;
}
interface Run {
  results: Result[];
  invocations: { toolExecutionNotifications: unknown[] }[];
  tool: { driver: { rules: { id: string }[] } };
}
const written = (...given: Parameters<typeof smallReport>): { runs: [Run] } =>
  JSON.parse([...sarifReport(smallReport(...given))].join('')) as { runs: [Run] };

test('is SARIF 2.1.0 by the official schema, which refuses what is not', () => {
  const log = written();
  isSarif(log);
  expect(isSarif.errors ?? []).toEqual([]);
  log.runs[0].results[0]!.level = 'critical';
  expect(isSarif(log)).toBe(false);
});

test('is so without findings, and without anything that could not be judged', () =>
  expect(isSarif(written({ findings: [], unknowns: [] }))).toBe(true));

test('has each finding as a result that keeps its id, and each unknown as a notification', () => {
  const { findings, unknowns } = smallAudit();
  const [{ results, invocations, tool }] = written().runs;
  expect(results.map((it) => it.partialFingerprints['findingId/v1'])).toEqual(
    findings.map((it) => it.id),
  );
  expect(results.map((it) => tool.driver.rules[it.ruleIndex]!.id)).toEqual(
    findings.map((it) => it.rule),
  );
  expect(invocations[0]!.toolExecutionNotifications).toHaveLength(unknowns.length);
});

test('makes neither a link nor a placeholder of foreign text', () => {
  const [first] = smallAudit().findings;
  const summary = '[x](http://evil.example) {0}';
  const [{ results }] = written({ findings: [{ ...first!, summary }] }).runs;
  expect(results[0]!.message.text).toBe('\\[x\\](http://evil.example) {{0}}');
});

test('knows rules and severities of later versions', () => {
  const [first] = smallAudit().findings;
  const later = { ...first!, rule: 'of-later', severity: 'grave' as never };
  const log = written({ findings: [later] });
  expect(isSarif(log)).toBe(true);
  expect(log.runs[0].results[0]).toMatchObject({ ruleId: 'of-later', level: 'warning' });
});
