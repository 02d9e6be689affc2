// The terms of the packages of others that esbuild put into a bundle, as one text to lie beside it.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The folders of the packages of which something is in what was built, in order; from the folder
 * esbuild worked in.
 */
function packagesIn(metafile) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  );
  const packages = used.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(packages)].sort();
}

/** The terms of a package. @throws Error when it has none. */
function termsOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((it) => /^(?:licen[cs]e|copying)/i.test(it));
  if (file === undefined && license === undefined)
    throw new Error(`${name} does not say its terms`);
  const text =
    file === undefined
      ? `(no text; its package.json says ${license})`
      : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}, ${license}\n\n${text}\n`;
}

/**
 * @param from the folder esbuild worked in.
 * @throws Error when a package does not say its terms.
 */
module.exports.licensesOf = (metafile, from) =>
  packagesIn(metafile)
    .map((path) => termsOf(join(from, path)))
    .join(`\n${'-'.repeat(80)}\n\n`);
