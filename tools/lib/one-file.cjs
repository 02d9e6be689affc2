// Several modules of ours as one file that needs Node alone: `oneFile(entry)` compiles the TypeScript at `entry` and whatever of ours it imports,
// each into a function, and calls the entry's `main`. An import of a package is an error: the file is for where there are none.
const { readFileSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { join, posix } = require('node:path');
const { transformSync } = require('@swc/core');
const { ROOT } = require('./root.cjs');

const OPTIONS = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
};

/** Where an import leads, from the root of the repository and without `.ts`; undefined for a part of Node. */
function targetOf(specifier, from) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const ours = /^@ovn-steward\/([a-z]+)\/(.+)$/.exec(specifier);
  if (ours) return `libs/${ours[1]}/src/${ours[2]}`;
  if (specifier.startsWith('node:') && builtinModules.includes(specifier.slice(5)))
    return undefined;
  throw new Error(`${from} imports ${specifier}, and a file for Node alone has no packages`);
}

/** The text of the file. @param entry from the root of the repository, without `.ts`; it exports `main(argv, env)`, which gives the exit code. */
function oneFile(entry) {
  const modules = new Map();
  const add = (name) => {
    if (modules.has(name)) return;
    modules.set(name, ''); // before what it imports, which may lead back
    const { code } = transformSync(readFileSync(join(ROOT, `${name}.ts`), 'utf8'), OPTIONS);
    modules.set(
      name,
      code.replaceAll(/\brequire\("([^"]+)"\)/g, (whole, specifier) => {
        const target = targetOf(specifier, name);
        if (target === undefined) return whole;
        add(target);
        return `load(${JSON.stringify(target)})`;
      }),
    );
  };
  add(entry);
  const parts = [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, code]) =>
        `${JSON.stringify(name)}(exports) {\n${code.replace(/^"use strict";\n/, '')}},\n`,
    );
  return `#!/usr/bin/env node
// Generated from ${entry}.ts and what it imports by \`npm run generate\`; do not edit. Needs Node 20 or newer, and nothing else.
'use strict';
const loaded = new Map();
function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, {});
    modules[name](loaded.get(name));
  }
  return loaded.get(name);
}
const modules = {
${parts.join('')}};
load(${JSON.stringify(entry)}).main(process.argv.slice(2), process.env).then((code) => { process.exitCode = code; });
`;
}

module.exports = { oneFile };
