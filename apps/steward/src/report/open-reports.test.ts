import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { openReports, reportObjects } from './open-reports';
import { smallAudit, smallReport } from './testing/small-report';

interface Definition {
  readonly spec: { readonly versions: [{ readonly schema: { openAPIV3Schema: object } }] };
}

/**
 * The schema of a definition, which refuses fields it does not name, as the API server does with
 * `fieldValidation=Strict`.
 */
function schemaOf(plural: string): object {
  const path = join(__dirname, `testing/openreports.io_${plural}.yaml`);
  const { spec } = parse(readFileSync(path, 'utf8')) as Definition;
  return closed(spec.versions[0].schema.openAPIV3Schema, false) as object;
}
function closed(schema: unknown, nested = true): unknown {
  if (Array.isArray(schema)) return schema.map((it) => closed(it));
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, it]) => [key, closed(it)]));
  return nested &&
    own['type'] === 'object' &&
    own['properties'] &&
    Object.keys(own['properties']).length > 0
    ? { ...own, additionalProperties: false }
    : own;
}
const ajv = new Ajv({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
const VALID = {
  Report: ajv.compile(schemaOf('reports')),
  ClusterReport: ajv.compile(schemaOf('clusterreports')),
};

interface Written {
  readonly kind: keyof typeof VALID;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly summary: Readonly<Record<string, number>>;
  readonly results: {
    rule: string;
    result: string;
    message: string;
    resources: unknown[];
    properties: Record<string, string>;
  }[];
}
const written = (findings?: readonly Finding[]): Written[] =>
  reportObjects(smallReport(findings && { findings: [...findings] })) as Written[];
const [first] = smallAudit().findings as [Finding];
const nameOf = ({ kind, metadata }: Written): string =>
  [kind, metadata.namespace, metadata.name].filter(Boolean).join(' ');
const { cause: _, scope: __, ...bare } = first;
const placeless = { ...bare, subject: { ...first.subject, namespace: undefined } } as Finding;
const many = (count: number, more: Partial<Finding>): Finding[] =>
  Array.from({ length: count }, (_, n) => ({
    ...placeless,
    id: `${n}`.padStart(64, '0'),
    ...more,
  }));

test('every object is valid by its definition, which refuses what is not', () => {
  for (const report of written()) {
    VALID[report.kind](report);
    expect(VALID[report.kind].errors ?? []).toEqual([]);
    expect(
      VALID[report.kind]({ ...report, results: [{ ...report.results[0], result: 'bad' }] }),
    ).toBe(false);
    expect(VALID[report.kind]({ ...report, results: [{ ...report.results[0], colour: 1 }] })).toBe(
      false,
    );
  }
});

test('a thousand findings of a namespace and a rule are one result of one object', () => {
  const cause = { kind: 'Pod', key: 'shop/web-0', text: 'Pod shop/web-0 no longer exists' };
  const [cluster, shop, ...others] = written(many(1000, { cause }));
  expect(others).toEqual([]);
  expect(nameOf(shop!)).toBe('Report shop ovn-steward');
  expect(shop!.results).toHaveLength(1);
  expect(shop!.results[0]!.properties['findings']).toBe('1000');
  expect(shop!.results[0]!.resources).toHaveLength(20);
  expect(shop!.summary).toMatchObject({ fail: 1, skip: 0 });
  expect(nameOf(cluster!)).toBe('ClusterReport ovn-steward');
});

test.each([
  ['whose namespace is gone', { cause: { kind: 'Namespace', key: 'shop', text: 'gone' } }],
  ['of no namespace', {}],
])('a finding %s counts for its subnet, since no object can be made there', (_what, more) => {
  const objects = written(many(1, { ...more, scope: { subnet: 'apps' } }));
  expect(objects.map(nameOf)).toEqual([
    'ClusterReport ovn-steward',
    'ClusterReport ovn-steward-subnet-apps',
  ]);
});

test('a subnet whose name no object can have counts for the cluster', () => {
  const objects = written(many(1, { scope: { subnet: 'neutron_Net:1' } }));
  expect(objects.map(nameOf)).toEqual(['ClusterReport ovn-steward']);
  const failures = objects[0]!.results.filter((it) => it.result === 'fail');
  expect(failures.map((it) => it.rule)).toEqual([first.rule]);
});

test('suppressed findings are skipped, resolved ones are not there, unknowns are errors', () => {
  const [cluster] = written([
    ...many(1, { state: 'suppressed' }),
    ...many(1, { state: 'resolved', rule: 'another' }),
  ]);
  const results = cluster!.results.map((it) => it.result);
  expect(results.filter((it) => it === 'skip')).toHaveLength(1);
  expect(results.filter((it) => it === 'error').length).toBeGreaterThan(0);
  expect(cluster!.results.map((it) => it.rule)).not.toContain('another');
});

test('without findings the object of the cluster says so', () => {
  const [cluster, ...others] = written([]);
  expect(others).toEqual([]);
  expect(cluster!.summary).toMatchObject({ fail: 0, warn: 0 });
});

test('is written as YAML documents', () => {
  const text = [...openReports(smallReport())].join('');
  const objects = parseAllDocuments(text).map((it): unknown => it.toJS());
  expect(objects).toEqual(JSON.parse(JSON.stringify(written())));
});
