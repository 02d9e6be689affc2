import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { RELATIONS } from './relations/registry';
import { RULES } from './rules/registry';
import { TALLIES } from './tallies/registry';

const ROOT = join(__dirname, '../../..');

/** Kinds that no rule, relation or tally declares, and a file that reads each. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'libs/judgement/src/world/world.ts',
};

const indexed = [...RELATIONS, ...TALLIES].flatMap(({ kinds }) =>
  kinds === 'ovn-nb' ? [] : [...kinds],
);
const declared = new Set<string>([
  ...RULES.flatMap((it) => [it.subject, ...it.reads, ...(it.consults ?? [])]),
  ...indexed,
]);

test('only kinds are read of Kubernetes that something uses', () => {
  const unused = KUBERNETES_KINDS.map((it) => it.kind).filter(
    (it) => !declared.has(it) && READ_ELSEWHERE[it] === undefined,
  );
  expect(unused).toEqual([]);
});

test.each(Object.entries(READ_ELSEWHERE))(
  '%s is read in %s, and declared nowhere',
  (kind, file) => {
    expect(KUBERNETES_KINDS.map((it) => it.kind)).toContain(kind);
    expect(declared.has(kind)).toBe(false);
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`'${kind}'`);
  },
);

test.each(['Secret', 'ConfigMap'])('%ss are never read', (kind) => {
  expect(KUBERNETES_KINDS.map((it) => it.kind)).not.toContain(kind);
});
