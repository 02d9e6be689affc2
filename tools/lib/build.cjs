const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./root.cjs');
const { run } = require('./run.cjs');

const NX = join(ROOT, 'node_modules', '.bin', 'nx');
const QUIET_NX = { NX_NO_CLOUD: 'true', NX_DAEMON: 'false', NX_TUI: 'false' };

/** Whether the tools that building needs are installed; they are development dependencies. */
module.exports.canBuild = () => ['nx', 'swc'].every((it) => existsSync(join(ROOT, 'node_modules', '.bin', it)));

/** Builds every package, or those named, from Nx's cache where nothing changed; gives the exit status. Its output goes where `stdio` says. */
module.exports.build = function ({ packages = [], stdio } = {}) {
  const only = packages.length > 0 ? ['-p', packages.join(',')] : [];
  return run(NX, ['run-many', '-t', 'build', '--outputStyle=static', ...only], { env: QUIET_NX, stdio });
};
