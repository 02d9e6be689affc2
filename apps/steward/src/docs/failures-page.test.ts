import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { PAGES, pageText } from '../testing/pages';
import { FAILURE_COVERAGE } from './failure-coverage';
import { coverageOf, failuresPage, knownFailures } from './failures-page';

const ROOT = join(__dirname, '../../../..');
const FAILURES = knownFailures(
  readFileSync(join(ROOT, 'docs/domain/kube-ovn-failures.md'), 'utf8'),
);
const IDS = RULES.map(({ id }) => id);

/** The failures that a rule's own comment names. */
function citedBy(id: string): readonly string[] {
  const source = readFileSync(join(ROOT, `libs/judgement/src/rules/${id}.ts`), 'utf8');
  return [...source.matchAll(/\brows? ((?:\d+[ab]?(?:, | and )?)+)/g)].flatMap(
    ([, numbers]) => numbers!.match(/\d+[ab]?/g) ?? [],
  );
}

test('each known failure is spoken of, and no other', () => {
  expect(FAILURES).toHaveLength(84);
  expect(Object.keys(FAILURE_COVERAGE)).toEqual(FAILURES.map(({ number }) => `_${number}`));
});

test('pages that say how many there are have that number', () => {
  const said = PAGES.filter((page) => page !== 'CHANGELOG.md').flatMap((page) =>
    [...pageText(page).matchAll(/\b(\d+)\s+known\s+failures\b/g)].map(([, n]) => [page, Number(n)]),
  );
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter(([, n]) => n !== FAILURES.length)).toEqual([]);
});

test('the rules that are named exist', () => {
  const named = Object.values(FAILURE_COVERAGE).flatMap(({ rules }) => rules);
  expect(named.filter((id) => !IDS.includes(id))).toEqual([]);
});

test('where no rule finds a failure the page says why, and where none has to, none does', () => {
  for (const [number, { rules, limits, needless }] of Object.entries(FAILURE_COVERAGE)) {
    if (rules.length === 0) expect([number, limits]).toEqual([number, expect.any(String)]);
    if (needless === true) expect([number, rules]).toEqual([number, []]);
  }
});

test('a rule whose comment names a failure stands at it, or is no finder of it', () => {
  const missing = IDS.flatMap((id) =>
    citedBy(id)
      .filter((number) => coverageOf(number)?.rules.includes(id) === false)
      .map((number) => `${id} ${number}`),
  );
  expect(missing.filter((it) => !NO_FINDERS.has(it))).toEqual([]);
  expect([...NO_FINDERS].filter((it) => !missing.includes(it))).toEqual([]);
});

/** Comments that name a failure as what they leave alone, or as where the same shows elsewhere. */
const NO_FINDERS = new Set([
  'address-only-in-ipam 32',
  'missing-logical-switch-port 16',
  'network-policy-without-acls 16',
  'pod-without-address 16',
  'stale-port-group-member 70',
  'stale-port-group-member 69',
]);

test('a failure of which nothing is said is an error', () => {
  expect(() => failuresPage([{ number: '999', kind: 'G', failure: 'x' }])).toThrow('failure 999');
});
