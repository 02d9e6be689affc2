import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEGIN, END, releasesTable, withReleases } from './releases-table';
import type { Trial } from './trial';

const trial = (
  release: string,
  way: NonNullable<Trial['of']>['way'],
  more: Partial<Trial> = {},
): Trial => ({
  what: `Kube-OVN ${release}, scenario enforce`,
  of: { release, way },
  command: 'npm run -s rig',
  amount: '9 planted',
  accused: 0,
  deleted: 0,
  missed: 0,
  right: true,
  ...more,
});

test('a line for each release, in their order, with all that was tried', () =>
  expect(
    releasesTable([
      trial('v1.17-dev', 'scenario'),
      trial('v1.9.2', 'recording', { missed: 4 }),
      trial('v1.17-dev', 'churn', { amount: '30 acts in 30 s', deleted: 1, what: 'the bad one' }),
    ])
      .split('\n')
      .slice(2),
  ).toEqual([
    '| v1.9.2 | 5 of 9 planted found | - | - | nothing |',
    '| v1.17-dev | - | 30 acts in 30 s | all 1 | the bad one |',
    '',
    'Scenarios: enforce. One is left out where the release has nothing that it could try.',
  ]));

test('of the scenarios that were played anywhere, what a release is without', () => {
  const beside = (release: string, names: readonly string[]) =>
    names.map((it) => trial(release, 'scenario', { what: `Kube-OVN ${release}, scenario ${it}` }));
  const rows = releasesTable([
    ...beside('v1.1.0', ['a', 'b', 'c']),
    ...beside('v1.2.0', ['a', 'c']),
    ...beside('v1.3.0', ['b']),
  ])
    .split('\n')
    .slice(2, 5);
  expect(rows.map((it) => it.split(' | ')[3])).toEqual(['all 3', 'all 3 but b', 'b']);
});

test('the rest of the page stays', () =>
  expect(withReleases(`a\n${BEGIN}\nold\n${END}\nb`, [])).toMatch(
    new RegExp(`^a\n${BEGIN}\n\n\\| Kube-OVN [^]*\n\n${END}\nb$`),
  ));

test('a page without a place for it is an error', () =>
  expect(() => withReleases('a', [])).toThrow(/no place/));

test('README has a place for it', () =>
  expect(() =>
    withReleases(readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8'), []),
  ).not.toThrow());
