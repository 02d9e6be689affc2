// `npm run -s rig`: beside Kube-OVN's own controller, on a real API server and OVN 25.03.
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
    join(ROOT, 'e2e', 'rig-main.ts'),
    ...process.argv.slice(2),
  ]);
