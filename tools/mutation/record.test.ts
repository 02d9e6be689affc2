import { createRequire } from 'node:module';

interface Survivor {
  readonly line: number;
  readonly original: string;
  readonly reached: boolean;
}

const { record, merged } = createRequire(__filename)('./record.cjs') as {
  record(of: object): Readonly<Record<string, unknown>> & { readonly survivors: Survivor[] };
  merged(before: object[], now: object[], present: string[]): unknown;
};

const SOURCE = 'const a =\n  one ||\n  two;\nif (a) go();\n';
const mutant = (status: string, from: [number, number], to: [number, number]) => ({
  status,
  mutatorName: 'Any',
  replacement: 'true',
  location: {
    start: { line: from[0], column: from[1] },
    end: { line: to[0], column: to[1] },
  },
});

const of = (...mutants: object[]) =>
  record({ file: 'x.ts', source: SOURCE, commit: 'c', at: 'd', tests: 't', mutants });

test('each end is counted', () => {
  const at = [[1, 1] as [number, number], [1, 6] as [number, number]] as const;
  const ends = ['Killed', 'Killed', 'Timeout', 'RuntimeError', 'CompileError', 'Ignored'];
  expect(of(...ends.map((it) => mutant(it, at[0], at[1])))).toEqual({
    file: 'x.ts',
    commit: 'c',
    at: 'd',
    tests: 't',
    killed: 2,
    timeout: 1,
    invalid: 2,
    leftAlone: 1,
    survivors: [],
  });
});

test('what nobody noticed is kept with the text it stood in for, in the order of the file', () => {
  const { survivors } = of(
    mutant('NoCoverage', [4, 5], [4, 6]),
    mutant('Survived', [2, 3], [3, 6]),
    mutant('Killed', [1, 1], [1, 6]),
  );
  expect(survivors.map(({ line, original, reached }) => [line, original, reached])).toEqual([
    [2, 'one ||\n  two', true],
    [4, 'a', false],
  ]);
});

test('a new measurement replaces the old one of that file; files that are gone go with theirs', () => {
  const before = [
    { file: 'a', killed: 1 },
    { file: 'b', killed: 1 },
    { file: 'gone', killed: 1 },
  ];
  expect(merged(before, [{ file: 'b', killed: 2 }], ['a', 'b', 'new'])).toEqual([
    { file: 'a', killed: 1 },
    { file: 'b', killed: 2 },
  ]);
});
