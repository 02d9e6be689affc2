// Runs the TypeScript example on any supported Node: compiled as it is loaded, with the SQLite that
// is installed for this Node.
const { join } = require('node:path');
const Module = require('node:module');

const ROOT = join(__dirname, '../..');
require(join(ROOT, 'tools/lib/typescript.cjs'));

const resolve = Module._resolveFilename;
if (Number.parseInt(process.versions.node, 10) >= 22)
  Module._resolveFilename = (request, ...rest) =>
    request === 'better-sqlite3'
      ? require.resolve('better-sqlite3-13', { paths: [join(ROOT, 'libs/shared')] })
      : resolve(request, ...rest);
