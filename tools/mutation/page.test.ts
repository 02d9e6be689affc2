import { createRequire } from 'node:module';

const { mutationPage } = createRequire(__filename)('./page.cjs') as {
  mutationPage(
    folders: object[],
    explanations: object[],
    listed: string[],
    byHand?: object[],
  ): string;
};

const survivor = (line: number, replacement: string) => ({
  line,
  column: 1,
  mutator: 'Any',
  reached: true,
  original: 'a || b',
  replacement,
});
const folder = (...survivors: object[]) => ({
  folder: 'libs/a',
  without: ['libs/a/later.ts'],
  files: [
    {
      file: 'libs/a/x.ts',
      commit: 'abc1234',
      at: '2026-11-22',
      tests: 'libs/a/x.test.ts',
      killed: 6,
      timeout: 2,
      invalid: 0,
      leftAlone: 5,
      survivors,
    },
  ],
});
const reason = (replacement: string, verdict = 'equivalent', why = 'b is never set') => ({
  file: 'libs/a/x.ts',
  original: 'a || b',
  replacement,
  verdict,
  why,
});

test('says what was measured, with which score, and what was not', () => {
  const page = mutationPage(
    [folder(survivor(3, 'a'), survivor(9, 'true'))],
    [reason('a'), reason('true', 'accepted', 'too | rare')],
    ['libs/a', 'libs/b'],
  );
  expect(page).toContain('| `libs/a` | 1 of 2 | 10 | 8 | 2 | 1 | 80.0 % | 88.9 % |');
  expect(page).toContain('- `libs/b`: none of it\n- `libs/a`: `later.ts`');
  expect(page).toContain('| `libs/a/x.ts` | 2026-11-22 | `abc1234` | 10 | 8 | 2 |');
  expect(page).toContain('| 3 | `a \\|\\| b` | `a` | equivalent | b is never set |');
  expect(page).toContain('| 9 | `a \\|\\| b` | `true` | accepted | too \\| rare |');
});

test('a survivor without a reason is an error that names it', () => {
  expect(() =>
    mutationPage([folder(survivor(3, 'a'), survivor(9, 'b'))], [reason('a')], []),
  ).toThrow(/libs\/a\/x\.ts:9: no reason why/);
});

test('a reason without a survivor is an error that names it', () => {
  expect(() => mutationPage([folder()], [reason('a')], [])).toThrow(
    'libs/a/x.ts: nothing survived as `a`; take its reason away',
  );
});

test.each([
  ['maybe', 'b is never set'],
  ['equivalent', ''],
])('a reason needs a verdict that there is, and words: %s, "%s"', (verdict, why) => {
  expect(() => mutationPage([folder(survivor(3, 'a'))], [reason('a', verdict, why)], [])).toThrow(
    'needs a verdict (equivalent, unreachable, elsewhere, accepted) and why',
  );
});

test('keeps what was planted by hand apart, with what nobody notices', () => {
  const unnoticed = [
    {
      file: 'libs/a/x.ts',
      original: 'a();\n',
      replacement: '',
      verdict: 'equivalent',
      why: 'a does nothing',
    },
    {
      file: 'libs/a/x.ts',
      original: 'b',
      replacement: 'true',
      verdict: 'open',
      why: 'needs a server',
    },
  ];
  const page = mutationPage(
    [folder()],
    [],
    [],
    [
      {
        folder: 'libs/a',
        at: '2026-11-22',
        files: 2,
        planted: 11,
        noticedAtFirst: 6,
        unnoticed,
      },
    ],
  );
  expect(page).toContain('| `libs/a` | 2 | 11 | 6 | 9 | 1 | 60.0 % | 90.0 % |');
  expect(page).toContain('| all | 2 | 11 | 6 | 9 | 1 | 60.0 % | 90.0 % |');
  expect(page).toContain('| `libs/a/x.ts` | `a(); ` | (left out) | equivalent | a does nothing |');
  expect(page).toContain('| `libs/a/x.ts` | `b` | `true` | open | needs a server |');
  expect(mutationPage([folder()], [], [])).not.toContain('Planted by hand');
});
