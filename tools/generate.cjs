#!/usr/bin/env node
// Writes what is derived from the code: `npm run generate`. With `--check` it writes nothing and
// fails when a committed file differs, naming each. A step returns the files it owns, as text, by
// their path from the root of the repository; whatever else lies in the folders it owns is stale.
const { execFileSync } = require('node:child_process');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { build } = require('./lib/build.cjs');
const { oneFile } = require('./lib/one-file.cjs');
const { ROOT } = require('./lib/root.cjs');
const { FOLDERS } = require('./mutation/folders.cjs');
const { mutationPage } = require('./mutation/page.cjs');
const { byHand, explanations, results } = require('./mutation/results.cjs');

const { version: VERSION } = require('../package.json');

const SERVICES = ['collector', 'analyzer', 'executor'];

/** JSON as the repository keeps it. */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const STEPS = [
  {
    name: 'contract schemas',
    owns: ['contracts/schemas'],
    files: () =>
      require('@ovn-steward/contracts/schemas')
        .jsonSchemas()
        .map(({ file, schema }) => ({ path: `contracts/schemas/${file}`, text: json(schema) })),
  },
  {
    name: 'what the topics are',
    owns: [],
    files: () => [
      {
        path: 'contracts/asyncapi.json',
        text: json(require('@ovn-steward/contracts/asyncapi').asyncApiDocument(VERSION)),
      },
    ],
  },
  {
    name: 'HTTP of the services',
    owns: ['contracts/openapi'],
    files: () =>
      SERVICES.map((service) => ({
        path: `contracts/openapi/${service}.json`,
        text: execFileSync(
          process.execPath,
          [join(ROOT, 'services', service, 'dist', 'main.js'), '--openapi'],
          { encoding: 'utf8', env: {} },
        ),
      })),
  },
  {
    name: 'what waits in a pod',
    owns: [],
    files: () => [
      { path: 'deploy/wait/steward-wait.cjs', text: oneFile('apps/steward/src/wait/main') },
    ],
  },
  {
    name: 'what the tests notice',
    owns: [],
    files: () => [
      {
        path: 'docs/mutation.md',
        text: mutationPage(results(), explanations(), FOLDERS, byHand()),
      },
    ],
  },
  {
    name: 'pages that repeat the code',
    owns: ['deploy/helm/ovn-steward/files/dashboards'],
    files: () => require('../apps/steward/src/docs/generated-files').generatedFiles(ROOT),
  },
];

async function main(check) {
  // The services say what they serve, as they are built; all else is read from its source.
  if (build(SERVICES.map((it) => `@ovn-steward/${it}`)) !== 0) return void (process.exitCode = 1);
  const differing = [];
  for (const step of STEPS) {
    const wanted = new Map((await step.files()).map(({ path, text }) => [path, text]));
    const present = step.owns
      .flatMap((folder) =>
        existsSync(join(ROOT, folder))
          ? readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
          : [],
      )
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
    for (const path of present) {
      if (wanted.has(path)) continue;
      differing.push(`${path} (nothing writes it)`);
      if (!check) rmSync(join(ROOT, path));
    }
    for (const [path, text] of wanted) {
      const file = join(ROOT, path);
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
      differing.push(`${path} (${step.name})`);
      if (check) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  if (differing.length === 0) return console.log('Everything that is generated is up to date.');
  console.log(
    `${check ? 'These files differ from the code; run `npm run generate` and commit them' : 'Written'}:\n${differing.map((it) => `  ${it}`).join('\n')}`,
  );
  if (check) process.exitCode = 1;
}

main(process.argv.includes('--check')).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
