const { join } = require('node:path');
const { ROOT } = require('./root.cjs');

/**
 * Ends the process with one sentence where this Node is older than `engines` asks for. Written for
 * old Nodes too: a syntax error would say nothing.
 */
module.exports.requireNode = function () {
  const wanted = require(join(ROOT, 'package.json')).engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  process.stderr.write(
    `ovn-steward needs Node ${wanted} or newer and this is ${process.versions.node}: install a newer one (22 or 24 are good choices) and run this again.\n`,
  );
  process.exit(1);
};
