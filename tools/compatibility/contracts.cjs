// What `contracts` promises, read from a folder: today's, or that of a release, which has the same
// files.
const { cpSync, existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const FILES = ['asyncapi.json', 'openapi.json', 'promises.json'];
const FOLDERS = ['schemas', 'openapi', 'examples', 'later-versions'];

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

function documents(folder) {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder)
      .sort()
      .map((file) => [file, json(join(folder, file))]),
  );
}

/** The contracts in `folder`. @throws Error where a file is missing or no JSON. */
module.exports.readContracts = (folder) => ({
  schemas: documents(join(folder, 'schemas')),
  examples: documents(join(folder, 'examples')),
  openApis: new Map([
    ['openapi.json', json(join(folder, 'openapi.json'))],
    ...[...documents(join(folder, 'openapi'))].map(([file, it]) => [`openapi/${file}`, it]),
  ]),
  asyncApi: json(join(folder, 'asyncapi.json')),
  promises: json(join(folder, 'promises.json')),
});

const inNumbers = (version) => version.split('.').map(Number);

/** The versions kept in `contracts/released`, the oldest first. */
module.exports.releasedVersions = (folder) =>
  existsSync(join(folder, 'released'))
    ? readdirSync(join(folder, 'released')).sort((one, other) => {
        const [a, b] = [inNumbers(one), inNumbers(other)];
        return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
      })
    : [];

/**
 * Keeps the contracts in `folder` as those of a release.
 * @throws Error where that release is kept already.
 */
module.exports.keepRelease = (folder, version) => {
  const target = join(folder, 'released', version);
  if (existsSync(target))
    throw new Error(`${version} is released already: raise the version first (RELEASING.md)`);
  for (const it of [...FILES, ...FOLDERS])
    cpSync(join(folder, it), join(target, it), { recursive: true });
};
