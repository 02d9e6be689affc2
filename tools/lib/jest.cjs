const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { run } = require('./run.cjs');
const { underCi } = require('./under-ci.cjs');

/**
 * Of Node, also in the workers: tests that allocate much take 7 % less processor time with more
 * than the 16 MB by default.
 */
const YOUNG_GENERATION = '--max-semi-space-size=64';

const JEST = join('node_modules', 'jest', 'bin', 'jest.js');

/**
 * Runs jest from the root of the repository; gives its exit status and its report, no report when
 * it did not get that far.
 */
module.exports.jest = function (args) {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-steward-test-'));
  try {
    const file = join(folder, 'totals.json');
    const own = [...(underCi ? ['--ci'] : []), '--json', '--outputFile', file];
    const status = run(process.execPath, [YOUNG_GENERATION, JEST, ...own, ...args], {
      stdio: ['inherit', 'ignore', 'inherit'],
    });
    return { status, report: reportIn(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
