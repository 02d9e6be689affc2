// `npm run -s fuzz -- executor --steps N --seed S --output json`: random histories against the
// executor, judged by an oracle of its own; `rules`: against the rules and their engine. Needs no
// server.
const { join } = require('node:path');
const { ROOT } = require('./lib/root.cjs');
const { run } = require('./lib/run.cjs');

const MAINS = {
  executor: join(ROOT, 'services', 'executor', 'src', 'testing', 'fuzz', 'main.ts'),
  rules: join(ROOT, 'services', 'collector', 'src', 'testing', 'fuzz', 'main.ts'),
};

const [what, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(MAINS, what ?? '')) {
  process.stderr.write(`what to try: ${Object.keys(MAINS).join(', ')}\n`);
  process.exitCode = 1;
} else
  process.exitCode = run(process.execPath, [
    '--conditions=@ovn-steward/source',
    '--require',
    join(ROOT, 'tools', 'lib', 'typescript.cjs'),
    MAINS[what],
    ...rest,
  ]);
