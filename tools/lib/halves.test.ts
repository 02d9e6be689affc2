import { createRequire } from 'node:module';

interface Run {
  readonly args: readonly string[];
  readonly niceness: number;
}
interface Ended {
  readonly status: number;
  readonly report?: object;
}

const { runsOf, together } = createRequire(__filename)('./halves.cjs') as {
  runsOf(args: readonly string[]): Run[];
  together(runs: readonly Ended[]): Ended;
};

const report = (passed: number, failed: number, ...names: string[]) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: names.map((name) => ({ name })),
});

describe('what npm test has jest run', () => {
  it('is each project once, the unit tests behind the others', () => {
    const runs = runsOf(['libs/ovsdb', '-t', 'names']);
    expect(runs.map(({ args }) => args.slice(2))).toEqual([
      ['libs/ovsdb', '-t', 'names', '--selectProjects', 'real'],
      ['libs/ovsdb', '-t', 'names', '--selectProjects', 'unit'],
    ]);
    expect(runs[0]!.niceness).toBeLessThan(runs[1]!.niceness);
  });

  it.each(['--selectProjects', '--watch', '--watchAll', '--runInBand', '--selectProjects=unit'])(
    'is one run where the caller says %s',
    (option) => {
      const [run, ...others] = runsOf(['libs/ovsdb', option]);
      expect([run!.args.slice(1), run!.niceness, others]).toEqual([['libs/ovsdb', option], 0, []]);
    },
  );
});

describe('two runs together', () => {
  it('have the files and the counts of both', () => {
    expect(
      together([
        { status: 0, report: report(3, 0, 'a') },
        { status: 0, report: report(4, 0, 'b', 'c') },
      ]),
    ).toEqual({ status: 0, report: { ...report(7, 0, 'a', 'b', 'c'), numPendingTests: 2 } });
  });

  it('failed where one of them did', () => {
    const passed = { status: 0, report: report(3, 0, 'a') };
    const failed = { status: 1, report: report(4, 1, 'b') };
    expect(together([passed, failed])).toMatchObject({ status: 1, report: { numFailedTests: 1 } });
    expect(together([failed, passed]).status).toBe(1);
  });

  it('have no report where one of them has none, even if it says that all was well', () => {
    const passed = { status: 0, report: report(3, 0, 'a') };
    expect(together([passed, { status: 0 }])).toEqual({ status: 1 });
    expect(together([{ status: 134 }, passed])).toEqual({ status: 134 });
  });

  it('failed where neither found a file: the path was wrong', () => {
    const nothing = { status: 0, report: report(0, 0) };
    expect(together([nothing, nothing])).toEqual({ status: 1 });
  });

  it('are well where one of them had nothing to run', () => {
    const nothing = { status: 0, report: report(0, 0) };
    const passed = { status: 0, report: report(3, 0, 'a') };
    expect(together([nothing, passed]).status).toBe(0);
  });
});
