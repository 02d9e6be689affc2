#!/usr/bin/env node
// `npm test`: installs and builds where needed, makes real OVN and Kubernetes servers ready, runs every test, and ends with a line
// of totals. Further arguments go to jest: `npm test -- libs/ovsdb`.
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { build } = require('./lib/build.cjs');
const { ensureInstalled } = require('./lib/install.cjs');
const { requireNode } = require('./lib/require-node.cjs');
const { run, say } = require('./lib/run.cjs');

const underCi = !['', '0', 'false', 'no'].includes((process.env.CI ?? '').toLowerCase());

/** What jest counted. A file that could not be run counts as one failed test: none of its tests were tried. */
function totals(file) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const broken = testResults.filter((it) => it.status === 'failed' && it.assertionResults.every((test) => test.status !== 'failed'));
  return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests + numTodoTests };
}

function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-steward-test-'));
  try {
    const file = join(folder, 'totals.json');
    const status = run(process.execPath, ['node_modules/jest/bin/jest.js', ...(underCi ? ['--ci'] : []), '--maxWorkers=2', ...args, '--json', '--outputFile', file], { stdio: ['inherit', 'ignore', 'inherit'] });
    return { status, ...totals(file) };
  } catch (error) {
    if (error.code === 'ENOENT') return { status: 1, passed: 0, failed: 1, skipped: 0 };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function main(args) {
  requireNode();
  ensureInstalled();
  say('Building');
  if (build() !== 0) return 1;
  say('Making OVN and Kubernetes ready for the tests that need them (the first time takes minutes, then it is cached)');
  if (run(process.execPath, ['tools/testbed/run.cjs', 'provision']) !== 0) {
    process.stderr.write(`Something is missing, see above: the tests that need it will ${underCi ? 'fail' : 'be skipped'}.\n`);
  }
  say('Testing');
  const { status, passed, failed, skipped } = jest(args);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 ? 1 : status;
}

process.exitCode = main(process.argv.slice(2));
