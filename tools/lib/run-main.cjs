const { join } = require('node:path');
const { build } = require('./build.cjs');
const { ROOT } = require('./root.cjs');
const { run } = require('./run.cjs');

/** Builds, then runs a program of `e2e` from its source with the arguments of this process, and ends with its status; with 1 where nothing could be built. */
function runMain(file) {
  process.exitCode =
    build() !== 0
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
