import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, textOf } from '../images/repository';

const CHART = 'deploy/helm/ovn-steward';
const TEMPLATES = readdirSync(join(ROOT, CHART, 'templates'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((it) => it.isFile())
  .map((it) => textOf(join(it.parentPath, it.name).slice(ROOT.length + 1)))
  .join('\n');

type Values = Readonly<Record<string, unknown>>;
const isSection = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const VALUES = parse(textOf(`${CHART}/values.yaml`)) as Values;

/** Values that templates come to by a name they put together, such as that of the workload. */
const BY_NAME =
  /^(?:embedded|collector|analyzer|executor|notifier|kafka\.clients|image\.digests)\b/;

test('every value a template asks for is there', () => {
  const requested = [...TEMPLATES.matchAll(/\.Values\.([A-Za-z.]+)/g)].map((it) => it[1]!);
  expect(requested.length).toBeGreaterThan(80);
  const missing = requested.filter((path) => {
    let here: unknown = VALUES;
    for (const name of path.split('.')) {
      if (!isSection(here) || !(name in here)) return true;
      here = here[name];
    }
    return false;
  });
  expect(missing).toEqual([]);
});

const leaves = (section: Values, path = ''): readonly string[] =>
  Object.entries(section).flatMap(([name, value]) =>
    isSection(value) &&
    Object.keys(value).length > 0 &&
    !['resources', 'nodeSelector'].includes(name)
      ? leaves(value, `${path}${name}.`)
      : [`${path}${name}`],
  );

test('every value is asked for by some template, as a whole or in a part', () => {
  const unused = leaves(VALUES)
    .filter((path) => !BY_NAME.test(path))
    .filter((path) => {
      const name = path.split('.').at(-1)!;
      const parents = path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.'));
      const whole = parents.some((parent) =>
        new RegExp(
          `(?:"issuer" \\$?\\.Values\\.${parent}\\b|\\.Values\\.${parent} \\| toYaml)`,
        ).test(TEMPLATES),
      );
      return !whole && !new RegExp(`\\.${name}\\b`).test(TEMPLATES);
    });
  expect(unused).toEqual([]);
});
