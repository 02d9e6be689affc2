import { createRequire } from 'node:module';

interface Found {
  readonly id: string;
  readonly rule: string;
  readonly severity: string;
  readonly state: string;
  readonly summary: string;
}
const { firstScreen } = createRequire(__filename)('./first-screen.cjs') as {
  firstScreen(
    findings: readonly Found[],
    where: { readonly state: string; readonly input: readonly string[] },
  ): string;
};

const found = (rule: string, severity: string, count: number): Found[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${rule}${at}`.padEnd(64, '0'),
    rule,
    severity,
    state: 'suspected',
    summary: `${rule} ${'x'.repeat(200)}`,
  }));
const shown = (findings: readonly Found[]): string[] =>
  firstScreen(findings, { state: 'demo', input: ['--ovn-nb', 'nb.db'] }).split('\n');
const rulesIn = (lines: readonly string[]): string[] =>
  lines.flatMap((it) => /^ +(\d+) {2}\w+ +(\S+)/.exec(it)?.slice(1, 3).join(' ') ?? []);

test('the worst comes first, then the most frequent', () => {
  const lines = shown([
    ...found('few', 'warning', 1),
    ...found('many', 'warning', 5),
    ...found('bad', 'critical', 2),
  ]);
  expect(lines[1]).toBe('8 findings of 3 rules, the worst first, each with an example:');
  expect(rulesIn(lines)).toEqual(['2 bad', '5 many', '1 few']);
});

test('however much was found, it fits one screen', () => {
  const lines = shown(
    Array.from({ length: 60 }, (_, at) => found(`rule-${at}`, 'warning', 2)).flat(),
  );
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((it) => it.length))).toBeLessThanOrEqual(145);
  expect(lines.join('\n')).toContain('and 98 findings of 49 more rules');
});

test('it names a confirmed finding to explain, and survives that there is none', () => {
  const [first, second] = found('rule', 'warning', 2);
  const lines = shown([first!, { ...second!, state: 'confirmed' }]).join('\n');
  expect(lines).toContain('npx steward explain rule100000 --state-dir demo');
  expect(shown([]).join('\n')).toContain('npx steward explain <id> --state-dir demo');
});
