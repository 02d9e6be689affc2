import { createRequire } from 'node:module';

interface Result {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly Result[];
}

const { rerunnable, afterRerun, unsteady } = createRequire(__filename)('./rerun.cjs') as {
  rerunnable(report: Report): string[];
  afterRerun(first: Report, second: Report): Report;
  unsteady(first: Report, second: Report): string[];
};
const { totals } = createRequire(__filename)('./totals.cjs') as { totals(report: Report): object };

/**
 * A file whose tests are named by their number, each passed (`.`), failed (`x`) or skipped (`-`);
 * `!` is a file that could not be run.
 */
const file = (name: string, tests: string): Result => ({
  name,
  status: /[x!]/.test(tests) ? 'failed' : 'passed',
  assertionResults: [...tests.replace('!', '')].map((mark, n) => ({
    status: { '.': 'passed', x: 'failed' }[mark] ?? 'pending',
    fullName: `test ${n}`,
  })),
});

const report = (...testResults: Result[]): Report => {
  const count = (status: string): number =>
    testResults.flatMap((it) => it.assertionResults).filter((it) => it.status === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: 0,
    testResults,
  };
};

describe('a second run of what failed', () => {
  it('is for files that run real servers, when they are few', () => {
    expect(
      rerunnable(
        report(file('a.test.ts', '.'), file('b.int.test.ts', '.x'), file('c.int.test.ts', '!')),
      ),
    ).toEqual(['b.int.test.ts', 'c.int.test.ts']);
    expect(
      rerunnable(report(...['a', 'b', 'c', 'd'].map((it) => file(`${it}.int.test.ts`, 'x')))),
    ).toEqual([]);
  });

  it('is not for a run in which a test of our code alone failed', () => {
    expect(rerunnable(report(file('a.test.ts', 'x'), file('b.int.test.ts', 'x')))).toEqual([]);
  });

  it('is not for a run in which nothing failed', () => {
    expect(rerunnable(report(file('b.int.test.ts', '.-')))).toEqual([]);
  });

  it('counts in place of the first', () => {
    const first = report(
      file('a.test.ts', '..'),
      file('b.int.test.ts', '.x-'),
      file('c.int.test.ts', '!'),
    );
    expect(
      totals(afterRerun(first, report(file('b.int.test.ts', '..-'), file('c.int.test.ts', '...')))),
    ).toEqual({ passed: 7, failed: 0, skipped: 1 });
    expect(
      totals(afterRerun(first, report(file('b.int.test.ts', 'x.-'), file('c.int.test.ts', '...')))),
    ).toEqual({ passed: 6, failed: 1, skipped: 1 });
  });

  it('leaves as it was what it lost', () => {
    const first = report(file('b.int.test.ts', '.x'), file('c.int.test.ts', '!'));
    expect(totals(afterRerun(first, report(file('b.int.test.ts', '..'))))).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
    });
    expect(totals(afterRerun(first, report()))).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it('reports what passed only alone', () => {
    const first = report(
      file('b.int.test.ts', '.x'),
      file('c.int.test.ts', '!'),
      file('d.int.test.ts', 'x'),
    );
    expect(
      unsteady(
        first,
        report(file('b.int.test.ts', '..'), file('c.int.test.ts', '.'), file('d.int.test.ts', 'x')),
      ),
    ).toEqual(['b.int.test.ts: test 1', 'c.int.test.ts: (the file)']);
  });
});
