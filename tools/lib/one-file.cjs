// Several modules of ours as one file that needs Node alone: `oneFile(entry)` bundles the
// TypeScript at `entry` and whatever of ours it imports, and calls the entry's `main`. An import of
// a package is an error: the file is for where there are none.
const esbuild = require('esbuild');
const { ROOT } = require('./root.cjs');

/** @throws Error when a module of ours imports a package of others. */
function refusePackages({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, original } of imports)
      if (path.includes('node_modules/') && !file.includes('node_modules/'))
        throw new Error(`${file} imports ${original}, and a file for Node alone has no packages`);
}

/**
 * The text of the file.
 * @param entry from the root of the repository, without `.ts`; it exports `main(argv, env)`, which
 *   gives the exit code.
 */
function oneFile(entry) {
  const { outputFiles, metafile } = esbuild.buildSync({
    stdin: {
      contents: `import * as entry from './${entry}';
entry.main(process.argv.slice(2), process.env).then((code) => { process.exitCode = code; });`,
      resolveDir: ROOT,
      sourcefile: 'start.js',
    },
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    conditions: ['@ovn-steward/source'],
    write: false,
    logLevel: 'error',
    metafile: true,
    banner: {
      js: `#!/usr/bin/env node
// Generated from ${entry}.ts and what it imports by \`npm run generate\`; do not edit. Needs Node 20 or newer, and nothing else.`,
    },
  });
  refusePackages(metafile);
  return outputFiles[0].text;
}

module.exports = { oneFile };
