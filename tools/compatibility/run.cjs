#!/usr/bin/env node
// `npm run -s compatibility`: fails where the contracts of now break who relied on those of a
// release. `--release` keeps the contracts of now as those of the version in package.json;
// `--contracts <folder>` compares another folder than `contracts`.
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { ROOT } = require('../lib/root.cjs');
const { compareContracts } = require('./compare.cjs');
const { keepRelease, readContracts, releasedVersions } = require('./contracts.cjs');

const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: join(ROOT, 'contracts') },
    release: { type: 'boolean', default: false },
  },
});

function main({ contracts: folder, release }) {
  const versions = releasedVersions(folder);
  const now = readContracts(folder);
  const broken = versions.flatMap((version) =>
    compareContracts(readContracts(join(folder, 'released', version)), now).map(
      (it) => `since ${version}: ${it}`,
    ),
  );
  if (broken.length > 0) {
    console.log(broken.join('\n'));
    console.log(
      `${broken.length} of what was promised is broken. Add instead of changing, or publish a v2 beside it (docs/findings-contract.md#what-stays-and-what-may-be-added).`,
    );
    return 1;
  }
  if (release) {
    const { version } = require('../../package.json');
    keepRelease(folder, version);
    console.log(`Kept as contracts/released/${version}.`);
    return 0;
  }
  console.log(`Nothing breaks who relied on ${versions.join(', ') || 'a release: none is kept'}.`);
  return versions.length > 0 ? 0 : 1;
}

try {
  process.exitCode = main(values);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
