import { readFileSync, readdirSync } from 'node:fs';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { PROJECTIONS } from './registry';

const WORKS = [
  'field-writers',
  'metadata',
  'parse-kubernetes-json',
  'project',
  'registry',
  'shape',
];

describe('the registry of projections', () => {
  it('has the kinds of the catalogue, no more, no fewer', () => {
    expect([...PROJECTIONS.keys()].sort()).toEqual(KUBERNETES_KINDS.map((it) => it.kind).sort());
  });

  it('takes from every file of the folder', () => {
    const files = readdirSync(__dirname)
      .filter((it) => !it.endsWith('.test.ts'))
      .map((it) => it.replace('.ts', ''));
    const imported = [
      ...readFileSync(`${__dirname}/registry.ts`, 'utf8').matchAll(/from '\.\/(.+)'/g),
    ].map((it) => it[1] as string);
    expect(files.filter((it) => !WORKS.includes(it)).sort()).toEqual(
      imported.filter((it) => !WORKS.includes(it)).sort(),
    );
  });
});
