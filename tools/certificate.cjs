// `npm run -s certificate`: the whole corpus, and a page that says what of it went wrong.
const { join } = require('node:path');
const { build } = require('./lib/build.cjs');
const { ROOT } = require('./lib/root.cjs');
const { run } = require('./lib/run.cjs');

if (build() !== 0) process.exitCode = 1;
else
  process.exitCode = run(process.execPath, [
    '--conditions=@ovn-steward/source',
    '--require',
    join(ROOT, 'tools', 'lib', 'typescript.cjs'),
    join(ROOT, 'e2e', 'certificate-main.ts'),
    ...process.argv.slice(2),
  ]);
