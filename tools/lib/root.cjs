const { join } = require('node:path');

/** The folder of the repository, wherever a script is started from. */
module.exports.ROOT = join(__dirname, '..', '..');
