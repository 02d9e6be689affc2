// `npm run mutation -- <folder or file…>`: plants faults with Stryker and keeps which of them the tests beside the code notice; see docs/mutation.md.
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./lib/root.cjs');
const { say } = require('./lib/run.cjs');
const { chosen } = require('./mutation/folders.cjs');
const { record } = require('./mutation/record.cjs');
const { keep } = require('./mutation/results.cjs');
const { mutantsOf, testsFor } = require('./mutation/stryker.cjs');

/** Runners at once; more than there are cores measure how they wait for one another. */
const CONCURRENCY = 2;

const lastCommitOf = (file) =>
  execFileSync('git', ['log', '-1', '--format=%h', '--', file], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();

async function measure(folder, file) {
  say(file);
  const source = readFileSync(join(ROOT, file), 'utf8');
  const result = record({
    file,
    source,
    commit: lastCommitOf(file),
    at: new Date().toISOString().slice(0, 10),
    tests: testsFor(file).match,
    mutants: await mutantsOf(file, CONCURRENCY),
  });
  keep(ROOT, folder, [result]);
  const { killed, timeout, survivors } = result;
  console.log(`${file}: ${killed + timeout} noticed, ${survivors.length} survived`);
  for (const { line, original, replacement } of survivors)
    console.log(`  ${file}:${line}: ${original} -> ${replacement}`);
}

async function main(args) {
  process.chdir(ROOT); // where Stryker looks for the code
  for (const { folder, files } of chosen(ROOT, args))
    for (const file of files)
      try {
        await measure(folder, file);
      } catch (error) {
        process.stderr.write(`${file} could not be measured: ${error.message}\n`);
        process.exitCode = 1;
      }
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
