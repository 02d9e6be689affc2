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
const { closingLine, totals } = require('./lib/totals.cjs');

const underCi = !['', '0', 'false', 'no'].includes((process.env.CI ?? '').toLowerCase());

/** Where nothing could be tested. */
const NOTHING = { passed: 0, failed: 1, skipped: 0 };

/** Runs jest; gives its exit status and what it counted. */
function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-steward-test-'));
  try {
    const file = join(folder, 'totals.json');
    const status = run(process.execPath, ['node_modules/jest/bin/jest.js', ...(underCi ? ['--ci'] : []), '--maxWorkers=2', ...args, '--json', '--outputFile', file], { stdio: ['inherit', 'ignore', 'inherit'] });
    return { status, counted: totals(JSON.parse(readFileSync(file, 'utf8'))) };
  } catch (error) {
    if (error.code === 'ENOENT') return { status: 1, counted: NOTHING }; // jest did not get to its report
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function test(args) {
  say('Building');
  if (build() !== 0) return { status: 1, counted: NOTHING };
  say('Making OVN and Kubernetes ready for the tests that need them (the first time takes minutes, then it is cached)');
  if (run(process.execPath, ['tools/testbed/run.cjs', 'provision']) !== 0) {
    process.stderr.write(`Something is missing, see above: the tests that need it will ${underCi ? 'fail' : 'be skipped'}.\n`);
  }
  say('Testing');
  return jest(args);
}

function main(args) {
  requireNode();
  ensureInstalled();
  const { status, counted } = test(args);
  process.stdout.write(`${closingLine(counted)}\n`);
  return counted.failed > 0 ? 1 : status;
}

process.exitCode = main(process.argv.slice(2));
