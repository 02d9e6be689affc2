import { createRequire } from 'node:module';

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const { totals, closingLine } = createRequire(__filename)('./totals.cjs') as {
  totals(report: object): Totals;
  closingLine(totals: Totals): string;
};

const report = (of: object): object => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...of,
});

describe('the totals of a test run', () => {
  it('are what jest counted', () => {
    const testResults = [
      { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    ];
    expect(
      totals(
        report({
          numPassedTests: 5,
          numFailedTests: 1,
          numPendingTests: 2,
          numTodoTests: 1,
          testResults,
        }),
      ),
    ).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it('count a file that could not be run as a failure', () => {
    expect(
      totals(
        report({
          testResults: [
            { status: 'failed', assertionResults: [] },
            { status: 'passed', assertionResults: [] },
          ],
        }),
      ).failed,
    ).toBe(1);
    expect(
      totals(
        report({ testResults: [{ status: 'failed', assertionResults: [{ status: 'passed' }] }] }),
      ).failed,
    ).toBe(1);
  });

  it('make the last line', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });
});
