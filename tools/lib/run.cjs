const { spawnSync } = require('node:child_process');
const { ROOT } = require('./root.cjs');

/**
 * Runs a command from the root of the repository, its output ours; gives its exit status. One that
 * could not be started, or was ended by a signal, counts as failed.
 */
module.exports.run = function (command, args, { stdio = 'inherit' } = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: ROOT, stdio });
  if (error) process.stderr.write(`${command} could not be started: ${error.message}\n`);
  else if (signal) process.stderr.write(`${command} was ended by ${signal}.\n`);
  return status ?? 1;
};

/** A line that says which step begins. */
module.exports.say = function (line) {
  process.stderr.write(`==> ${line}\n`);
};
