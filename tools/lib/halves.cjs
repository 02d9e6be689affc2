const { availableParallelism } = require('node:os');

/**
 * Tests of real servers wait for elections, sessions and starts for more than half of their time:
 * more of them run than there are cores. Unit tests keep a core busy each. They get what the others
 * leave of it, so that no session ends because of them.
 */
const REAL = { project: 'real', workers: availableParallelism() + 2, niceness: 0 };
const UNIT = { project: 'unit', workers: availableParallelism(), niceness: 10 };

/**
 * Options with which the caller says how jest is to run, so that two runs would be one too many.
 */
const OWN_WAY = ['--selectProjects', '--watch', '--runInBand', '-i'];

/**
 * What `npm test` has jest run: the tests of real servers and the unit tests beside each other, or
 * what the caller chose.
 */
module.exports.runsOf = function (args) {
  if (args.some((it) => OWN_WAY.some((option) => it.startsWith(option))))
    return [{ args: [`--maxWorkers=${REAL.workers}`, ...args], niceness: 0 }];
  return [REAL, UNIT].map(({ project, workers, niceness }) => ({
    // The project comes last: jest takes all that follows the option for names of projects.
    args: [`--maxWorkers=${workers}`, '--passWithNoTests', ...args, '--selectProjects', project],
    niceness,
  }));
};

const COUNTS = ['numPassedTests', 'numFailedTests', 'numPendingTests', 'numTodoTests'];

/**
 * The runs as one, which failed when one of them did, and has no report when one of them has none
 * or nothing was run.
 */
module.exports.together = function (runs) {
  const reports = runs.flatMap(({ report }) => report ?? []);
  const failed = runs.find(({ status }) => status !== 0)?.status;
  const testResults = reports.flatMap((it) => it.testResults);
  if (reports.length < runs.length || testResults.length === 0) return { status: failed ?? 1 };
  const sum = (name) => reports.reduce((total, it) => total + it[name], 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, sum(name)]));
  return { status: failed ?? 0, report: { ...counts, testResults } };
};
