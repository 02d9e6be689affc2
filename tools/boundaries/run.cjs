// `npm run boundaries`: who may import whom (.dependency-cruiser.cjs), and that folders import each
// other in no circle.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { ROOT } = require('../lib/root.cjs');
const { folderCircles } = require('./folder-circles.cjs');

const PARTS = ['libs', 'services', 'apps', 'tools', 'benchmarks', 'e2e'];
/** Code that only tests run reaches everywhere; its folders are not floors. */
const TEST_ONLY = /(\/testing\/|^libs\/[^/]+\/test\/|\.test\.ts$|\.contract\.ts$|^tools\/|^e2e\/)/;

function cruise(...options) {
  return spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      ...options,
      ...PARTS,
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 30 },
  );
}

const graph = cruise('--output-type', 'json');
if (graph.error || !graph.stdout.startsWith('{')) {
  process.stderr.write(graph.error?.message ?? graph.stderr);
  process.exit(1);
}
const { modules, summary } = JSON.parse(graph.stdout);
const imports = modules
  .flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
  .filter(
    ({ from, to }) => !TEST_ONLY.test(from) && !TEST_ONLY.test(to) && !to.includes('node_modules'),
  );
const circles = folderCircles(imports);

for (const { from, to, rule, comment } of summary.violations)
  process.stdout.write(`error ${rule.name}: ${from} → ${to}${comment ? `\n  ${comment}` : ''}\n`);
for (const circle of circles) {
  process.stdout.write(`error folder circle: ${circle.folders.join(', ')}\n`);
  for (const { from, to } of circle.imports) process.stdout.write(`  ${from} → ${to}\n`);
}
process.stdout.write(
  `${modules.length} files, ${imports.length} imports of production code, ${summary.violations.length} forbidden, ${circles.length} circles of folders\n`,
);
process.exitCode = summary.violations.length + circles.length > 0 ? 1 : 0;
