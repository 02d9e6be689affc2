import { parse } from 'yaml';
import { valuesPage } from './values-page';
import { type Schema, valuesSchema } from './values-schema';
import { valuesYaml } from './values-yaml';

const leaves = (section: Schema, path = ''): string[] =>
  Object.entries(section.properties ?? {})
    .filter(([name]) => name !== 'global')
    .flatMap(([name, child]) =>
      child.properties === undefined || name === 'settings'
        ? [`${path}${name}`]
        : leaves(child, `${path}${name}.`),
    );

const PATHS = leaves(valuesSchema());

test.each(PATHS)('%s has a default in values.yaml, and a row on the page', (path) => {
  const values: unknown = parse(valuesYaml());
  expect(
    path.split('.').reduce((it, name) => (it as Record<string, unknown>)?.[name], values),
  ).toBeDefined();
  expect(valuesPage([])).toMatch(new RegExp(`^\\| \`${path}\` \\| .* \\| .+\\. \\|$`, 'm'));
});

test('values stand below what they mean, lines are not long', () => {
  expect(valuesYaml()).toContain('\n# `embedded`: one pod, ');
  expect(valuesYaml()).toMatch(
    /\n {2}# Its API group\.\n {2}group: cert-manager\.io\n|\n {4}# Its API group\.\n {4}group: cert-manager\.io\n/,
  );
  expect(
    Math.max(
      ...valuesYaml()
        .split('\n')
        .map((it) => it.length),
    ),
  ).toBeLessThan(130);
});
