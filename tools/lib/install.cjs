const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./root.cjs');
const { run, say } = require('./run.cjs');

/** The packages a lockfile lists, by their path; nothing where there is no such file. */
function packagesOf(lockfile) {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(join(ROOT, lockfile), 'utf8')).packages));
  } catch (error) {
    if (error.code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Whether what is in node_modules is what package-lock.json asks for. Packages for other platforms are rightly absent. */
function isInstalled() {
  const present = packagesOf('node_modules/.package-lock.json');
  for (const [path, { version, link, optional, peer }] of packagesOf('package-lock.json')) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const found = present.get(path);
    if (found === undefined && (optional || peer)) continue;
    if (found === undefined || (!link && found.version !== version)) return false;
  }
  return present.size > 0;
}

/** Brings node_modules in step with package-lock.json; ends the process where that fails. Quick when nothing is to be done. */
module.exports.ensureInstalled = function () {
  if (isInstalled()) return;
  say('Installing dependencies (npm ci; a minute or two the first time)');
  const status = run('npm', ['ci']);
  if (status === 0) return;
  process.stderr.write('The dependencies could not be installed; what npm says above names the reason.\n');
  process.exit(status);
};
