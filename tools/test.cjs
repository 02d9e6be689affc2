#!/usr/bin/env node
// `npm test`: installs and builds where needed, makes real OVN and Kubernetes servers ready, runs every test, and ends with a line
// of totals. Further arguments go to jest: `npm test -- libs/ovsdb`. A few tests of real servers that failed beside the others are run
// once more alone; those that pass then are named as unsteady.
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');
const { build } = require('./lib/build.cjs');
const { ensureInstalled } = require('./lib/install.cjs');
const { requireNode } = require('./lib/require-node.cjs');
const { afterRerun, rerunnable, unsteady } = require('./lib/rerun.cjs');
const { run, say } = require('./lib/run.cjs');
const { closingLine, totals } = require('./lib/totals.cjs');

const underCi = !['', '0', 'false', 'no'].includes((process.env.CI ?? '').toLowerCase());

/** One more than there are cores: tests of real servers wait half of their time, for elections, sessions and starts. */
const WORKERS = availableParallelism() + 1;

/** Of Node, also in the workers: tests that allocate much take 7 % less processor time with more than the 16 MB by default. */
const YOUNG_GENERATION = '--max-semi-space-size=64';

/** Where nothing could be tested. */
const NOTHING = { passed: 0, failed: 1, skipped: 0 };

/** Runs jest; gives its report, or undefined when it did not get that far. */
function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-steward-test-'));
  try {
    const file = join(folder, 'totals.json');
    const status = run(
      process.execPath,
      [
        YOUNG_GENERATION,
        'node_modules/jest/bin/jest.js',
        ...(underCi ? ['--ci'] : []),
        ...args,
        '--json',
        '--outputFile',
        file,
      ],
      { stdio: ['inherit', 'ignore', 'inherit'] },
    );
    return { status, report: JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    if (error.code === 'ENOENT') return { status: 1 };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the tests; gives the exit status and what was counted. */
function runTests(args) {
  const { status, report } = jest([`--maxWorkers=${WORKERS}`, ...args]);
  if (!report) return { status, counted: NOTHING };
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
  return counted.failed > 0 ? 1 : status;
}

process.exitCode = main(process.argv.slice(2));
