const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { inStep } = require('./in-step.cjs');
const { ROOT } = require('./root.cjs');
const { run, say } = require('./run.cjs');

/** The packages a lockfile lists, by their path; nothing where there is no such file. */
function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(join(ROOT, lockfile), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Brings node_modules in step with package-lock.json; ends the process where that fails. Quick when
 * nothing is to be done.
 */
module.exports.ensureInstalled = function () {
  if (inStep(packagesOf('package-lock.json'), packagesOf('node_modules/.package-lock.json')))
    return;
  say('Installing dependencies (npm ci; a minute or two the first time)');
  const status = run('npm', ['ci']);
  if (status === 0) return;
  process.stderr.write(
    'The dependencies could not be installed; what npm says above names the reason.\n',
  );
  process.exit(status);
};
