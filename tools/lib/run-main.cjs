const { join } = require('node:path');
const { build } = require('./build.cjs');
const { ROOT } = require('./root.cjs');
const { run } = require('./run.cjs');

/**
 * Of whoever runs several of them side by side, and built before: builds at one time undo each
 * other.
 */
const isBuilt = process.env.STEWARD_BUILT === '1';

/**
 * Builds, then runs a program of `e2e` from its source with the arguments of this process, and ends
 * with its status; with 1 where nothing could be built.
 */
function runMain(file) {
  process.exitCode =
    !isBuilt && build() !== 0
      ? 1
      : run(process.execPath, [
          '--conditions=@ovn-steward/source',
          '--require',
          join(ROOT, 'tools', 'lib', 'typescript.cjs'),
          join(ROOT, 'e2e', file),
          ...process.argv.slice(2),
        ]);
}

module.exports = { runMain };
