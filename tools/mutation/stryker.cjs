const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('../lib/root.cjs');

/**
 * Added to three times what a mutant's tests need without it. Generous: a timeout counts as
 * noticed, and a busy machine notices nothing.
 */
const TIMEOUT_MS = 20_000;

const PLACES = ['libs', 'services', 'apps'];

/** The folder of a file's package, as `services/executor`. */
const packageOf = (file) => file.split('/', 2).join('/');

/**
 * What the tests of a package do not read: other packages are found by their names in node_modules.
 */
const elsewhere = (own) => [
  ...['dist', '.nx', '.steward', 'coverage', 'docs', 'deploy', 'benchmarks', 'e2e', '.git'],
  ...PLACES.flatMap((place) => readdirSync(join(ROOT, place)).map((it) => `${place}/${it}`)).filter(
    (it) => it !== own,
  ),
];

const folderOf = (file) => file.slice(0, file.lastIndexOf('/'));

/**
 * The tests that must notice: the one named after the file; where it has none, those in its folder
 * that reach it.
 */
function testsFor(file) {
  const own = file.replace(/\.ts$/, '.test.ts');
  return existsSync(join(ROOT, own))
    ? { match: own, related: false }
    : { match: `${folderOf(file)}/**/*.test.ts`, related: true };
}

/** Runs Stryker over one file; gives every mutant with what became of it. */
async function mutantsOf(file, concurrency) {
  const { Stryker } = await import('@stryker-mutator/core');
  const { match, related } = testsFor(file);
  return new Stryker({
    mutate: [file],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner', join(__dirname, 'ignore-texts.cjs')],
    ignorers: ['texts'],
    coverageAnalysis: 'perTest',
    jest: {
      configFile: 'tools/mutation/jest.config.cjs',
      enableFindRelatedTests: related,
      config: {
        roots: [`<rootDir>/${folderOf(file)}`], // where jest seeks files for each mutant again
        testMatch: [`<rootDir>/${match}`],
      },
    },
    concurrency,
    timeoutMS: TIMEOUT_MS,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    ignorePatterns: elsewhere(packageOf(file)),
    tempDirName: '.stryker-tmp',
  }).runMutationTest();
}

module.exports = { mutantsOf, testsFor };
