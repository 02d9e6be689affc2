const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./root.cjs');

const BIN = join(ROOT, 'node_modules', '.bin');

/** Whether the tools that building needs are installed; they are development dependencies. */
module.exports.canBuild = () => ['nx', 'swc'].every((it) => existsSync(join(BIN, it)));

/**
 * Builds every package, or those named, from Nx's cache where nothing changed; gives the exit
 * status. Says nothing unless it fails, and then all of it on standard error.
 */
module.exports.build = function (packages = []) {
  const only = packages.length > 0 ? ['-p', packages.join(',')] : [];
  const { status, stdout, stderr, error } = spawnSync(
    join(BIN, 'nx'),
    ['run-many', '-t', 'build', '--outputStyle=static', ...only],
    {
      cwd: ROOT,
      env: { ...process.env, NX_NO_CLOUD: 'true', NX_DAEMON: 'false', NX_TUI: 'false' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status !== 0)
    process.stderr.write(
      `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}The build failed.\n`,
    );
  return status ?? 1;
};
