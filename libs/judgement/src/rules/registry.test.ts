import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { RULES } from './registry';

const NOT_RULES = new Set(['registry', 'rule', 'reference-page']);
const files = readdirSync(__dirname)
  .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts'))
  .map((it) => it.slice(0, -'.ts'.length))
  .filter((it) => !NOT_RULES.has(it));

test('the list is the folder, in order, each id the name of its file', () =>
  expect(RULES.map((it) => it.id)).toEqual(files.sort()));

test('no two rules share an id', () =>
  expect(new Set(RULES.map((it) => it.id)).size).toBe(RULES.length));

describe.each(RULES.map((it) => [it.id, it] as const))('%s', (id, rule) => {
  test('has a test beside it', () =>
    expect(existsSync(join(__dirname, `${id}.test.ts`))).toBe(true));

  test('says what it is about in at most three sentences', () => {
    expect(rule.about).toMatch(/^[A-Z].*\.$/);
    expect((rule.about.match(/[.!?](?= |$)/g) ?? []).length).toBeLessThanOrEqual(3);
  });

  test('declares each kind once', () => {
    const declared = [
      ...rule.reads,
      ...(rule.consults ?? []).filter((it) => !rule.reads.includes(it)),
    ];
    expect(new Set(declared).size).toBe(declared.length);
  });

  test('reads Kubernetes before it calls anything of OVN garbage', () => {
    if (rule.class === 'garbage' && !kubernetesKind(rule.subject))
      expect(rule.reads.some((it) => kubernetesKind(it))).toBe(true);
  });
});
