#!/usr/bin/env node
// node bundle-service.cjs, in the folder of a service: its program as one file, `dist/main.js`, a
// source map, and beside them the terms under which we have the packages.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { bundle } = require('./bundle.cjs');
const { licensesOf } = require('./licenses.cjs');

async function main(folder) {
  const metafile = await bundle(folder, {
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    format: 'cjs',
  });
  writeFileSync(join(folder, 'dist/licenses.txt'), licensesOf(metafile, folder));
}

main(process.cwd());
