// `npm run -s e2e -- incidents`: what went wrong in the field, played on real servers without and with ovn-steward.
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
    join(ROOT, 'e2e', 'incidents-main.ts'),
    ...process.argv.slice(2),
  ]);
