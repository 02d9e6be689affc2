#!/usr/bin/env node
// `npm test`: installs and builds where needed, makes real OVN and Kubernetes servers ready, runs
// every test, and ends with a line of totals. Further arguments go to jest: `npm test -- libs/ovsdb`.
// A few tests of real servers that failed beside the others are run once more alone; those that
// pass then are named as unsteady.
const { availableParallelism } = require('node:os');
const { build } = require('./lib/build.cjs');
const { ensureInstalled } = require('./lib/install.cjs');
const { jest } = require('./lib/jest.cjs');
const { requireNode } = require('./lib/require-node.cjs');
const { afterRerun, rerunnable, unsteady } = require('./lib/rerun.cjs');
const { run, say } = require('./lib/run.cjs');
const { closingLine, totals } = require('./lib/totals.cjs');
const { underCi } = require('./lib/under-ci.cjs');

/**
 * One more than there are cores: tests of real servers wait for some of their time, for elections,
 * sessions and starts. With two more each file takes half as long again, and all together hardly
 * less.
 */
const WORKERS = availableParallelism() + 1;

/** Where nothing could be tested. */
const NOTHING = { passed: 0, failed: 1, skipped: 0 };

/** Runs the tests; gives the exit status and what was counted. */
function runTests(args) {
  const { status, report } = jest([`--maxWorkers=${WORKERS}`, ...args]);
  if (!report) {
    process.stderr.write('No test was run to its end, or no path fits.\n');
    return { status, counted: NOTHING };
  }
  const files = rerunnable(report);
  if (files.length === 0) return { status, counted: totals(report) };
  say(`Running alone what failed beside the others: ${files.join(', ')}`);
  const again = jest(['--runInBand', '--runTestsByPath', ...files]);
  if (!again.report) return { status, counted: totals(report) };
  for (const line of unsteady(report, again.report))
    process.stderr.write(`UNSTEADY, passed only alone: ${line}\n`);
  return { status: again.status, counted: totals(afterRerun(report, again.report)) };
}

function test(args) {
  say('Building');
  if (build() !== 0) return { status: 1, counted: NOTHING };
  say(
    'Making OVN and Kubernetes ready for the tests that need them (the first time takes minutes, then it is cached)',
  );
  if (run(process.execPath, ['tools/testbed/run.cjs', 'provision']) !== 0) {
    process.stderr.write(
      `Something is missing, see above: the tests that need it will ${underCi ? 'fail' : 'be skipped'}.\n`,
    );
  }
  say('Testing');
  return runTests(args);
}

function main(args) {
  requireNode();
  ensureInstalled();
  const { status, counted } = test(args);
  process.stdout.write(`${closingLine(counted)}\n`);
  process.exitCode = counted.failed > 0 ? 1 : status;
}

main(process.argv.slice(2));
