import fc from 'fast-check';
import { parseDocument, stringify as yaml } from 'yaml';
import { planEntry, somePlan } from '../testing/plans';
import { type Plan, proposalOf, sealed } from './plan';
import { planText, readPlan } from './plan-text';

const stringify = (value: unknown, more: object = {}): string =>
  yaml(value, { aliasDuplicateObjects: false, ...more });
const RATE = 'At most 5 a second.';
const PLAN = somePlan({
  leftOut: [{ reason: 'gone meanwhile', count: 3, findings: [{ id: 'f', what: 'gone' }] }],
});
const TEXT = planText(PLAN, RATE);
const codeOf = (text: string): string => {
  try {
    readPlan(text, 'the plan');
    return 'read';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('what is written is read', () => {
  expect(readPlan(TEXT, 'the plan')).toEqual(PLAN);
});

test('its top says what it is, how much, in which order, how fast, until when, and how to go on', () => {
  const top = TEXT.split('\n')
    .filter((it) => it.startsWith('#'))
    .join('\n');
  for (const part of [
    'for the cluster berlin-1: 2 actions',
    '2  orphaned-logical-switch-port',
    'leaves before roots',
    RATE,
    'steward apply',
    PLAN.expiresAt,
    'steward undo',
    '3 left out',
    '3  gone meanwhile',
  ])
    expect(top).toContain(part);
});

const named = (plan: Plan): string[] =>
  planText(plan, RATE)
    .split('\n')
    .filter((it) => /^# {3}\S+ Logical_Switch_Port|^# {3}and \d+ more/.test(it));

test('each entry is named at its top, on one line, with what is wrong', () => {
  expect(named(PLAN)).toEqual(
    PLAN.entries.map((it) => `#   ${it.action} Logical_Switch_Port ${it.target.name}: ${it.what}`),
  );
  expect(
    named(somePlan({ entries: [planEntry('a', { what: 'two\nlines \u001b[2J' })] })),
  ).toHaveLength(1);
});

test('of very many entries the first are named, and how many more there are', () => {
  const lines = named(
    somePlan({ entries: Array.from({ length: 103 }, (_, index) => planEntry(`p${index}`)) }),
  );
  expect([lines.length, lines.at(-1)]).toEqual([101, '#   and 3 more, each below with its proof']);
});

test('comments may go, lines may break elsewhere, and somebody may sign', () => {
  expect(readPlan(TEXT.replace(/^#.*\n/gm, ''), 'the plan')).toEqual(PLAN);
  expect(readPlan(stringify(PLAN, { lineWidth: 40, indent: 4 }), 'the plan')).toEqual(PLAN);
  expect(readPlan(JSON.stringify(PLAN), 'the plan')).toEqual(PLAN);
  expect(readPlan(`${TEXT}signedBy: anna\n`, 'the plan')).toEqual({ ...PLAN, signedBy: 'anna' });
});

test('any text in it comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (what, reason) => {
      const plan = somePlan({
        entries: [planEntry('a', { what, effect: reason })],
        leftOut: [{ reason, count: 1, findings: [] }],
      });
      expect(readPlan(planText(plan, reason), 'it')).toEqual(plan);
    }),
  );
});

test('a comment holds whatever foreign text is in it', () => {
  const plan = somePlan({
    leftOut: [{ reason: 'x\nentries: []\u001b[2J', count: 1, findings: [] }],
  });
  expect(planText(plan, RATE)).not.toContain('\u001b');
  expect(readPlan(planText(plan, RATE), 'it')).toEqual(plan);
});

/** Every value in the document, by its path, but those a person may write. */
function* places(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (typeof value !== 'object' || value === null) return void (yield path);
  for (const [key, inner] of Object.entries(value))
    yield* places(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

test.each([...places(PLAN)].map((path) => [path.join('.'), path] as const))(
  'changed by one character at %s it is refused',
  (_, path) => {
    const document = parseDocument(TEXT);
    const value = document.getIn(path);
    document.setIn(
      path,
      typeof value === 'number'
        ? value + 1
        : `${String(value).slice(0, -1)}${String(value).endsWith('x') ? 'y' : 'x'}`,
    );
    expect(['plan-altered', 'plan-invalid']).toContain(codeOf(document.toString()));
  },
);

test('changed by one character anywhere in its text, it is refused or still the same plan', () => {
  fc.assert(
    fc.property(
      fc.nat(TEXT.length - 1),
      fc.constantFrom('a', '7', ' ', '"', '\n', '#', '-'),
      (at, by) => {
        try {
          expect({
            ...readPlan(TEXT.slice(0, at) + by + TEXT.slice(at + 1), 'it'),
            signedBy: undefined,
          }).toEqual({ ...PLAN, signedBy: undefined });
        } catch (error) {
          expect(['plan-altered', 'plan-invalid']).toContain((error as { code: string }).code);
        }
      },
    ),
    { numRuns: 500 },
  );
});

const [first, second] = PLAN.entries;
test.each<[string, object]>([
  ['an entry taken out', { entries: [first] }],
  ['entries in another order', { entries: [second, first] }],
  ['an entry twice', { entries: [first, second, second] }],
  [
    'a field added to an entry',
    { entries: [{ ...first!, target: { ...first!.target, more: 1 } }, second] },
  ],
  ['a longer time', { expiresAt: '2027-03-02T10:20:00.000Z' }],
])('%s: altered', (_, more) => {
  expect(codeOf(stringify({ ...PLAN, ...more }))).toBe('plan-altered');
});

test.each<[string, string]>([
  ['nothing', ''],
  ['no YAML', '{ "a'],
  ['something else', 'kind: Config\n'],
  ['two plans', `${TEXT}---\n${TEXT}`],
  ['a key twice', `${TEXT}cluster: berlin-1\n`],
  ['a key we do not know', `${TEXT}force: true\n`],
  ['another version', stringify({ ...PLAN, version: 2 })],
  ['text without end', 'x'.repeat(33 * 1_048_576)],
  ['names that stand for more and more', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n'],
  ['a list', '- a\n'],
])('%s: invalid', (_, text) => {
  expect(codeOf(text)).toBe('plan-invalid');
});

const resealed = (more: Partial<Plan>): string => {
  const { id: _id, digest: _digest, ...content } = { ...PLAN, ...more };
  return stringify(sealed(content));
};

test.each<[string, Partial<Plan>]>([
  ['an entry under another’s id', { entries: [{ ...first!, id: second!.id }] }],
  ['an entry about another finding', { entries: [{ ...first!, finding: second!.finding }] }],
  ['one thing twice', { entries: [first!, first!] }],
  ['an end before its beginning', { expiresAt: PLAN.createdAt }],
  ['a time nobody can read', { expiresAt: 'tomorrow' }],
])('sealed again with %s: invalid all the same', (_, more) => {
  expect(codeOf(resealed(more))).toBe('plan-invalid');
});

test('its id follows its content, and so distinguishes two plans', () => {
  expect(somePlan().id).toBe(somePlan().id);
  expect(somePlan({ createdAt: '2026-03-02T10:19:59.000Z' }).id).not.toBe(somePlan().id);
});

test('an entry is the finding it was made of, to be proven again', () => {
  expect(proposalOf(PLAN, first!)).toMatchObject({
    id: first!.finding,
    cluster: PLAN.cluster,
    revision: 2,
    state: 'confirmed',
    subject: first!.subject,
    proof: first!.proof,
    remedy: { action: first!.action, target: first!.target, advice: first!.advice },
  });
});
