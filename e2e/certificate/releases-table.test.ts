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
    '| v1.17-dev | - | 30 acts in 30 s | enforce | the bad one |',
  ]));

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
