// What esbuild makes of a program of ours: a few files, or one, with everything in them but native
// packages. Loading two thousand modules one by one took a second of every start.
const { readFileSync, writeFileSync } = require('node:fs');
const { readFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { transform, transformSync } = require('@swc/core');
const esbuild = require('esbuild');
const { licensesOf } = require('./licenses.cjs');
const OPTIONAL = require('./optional-packages.cjs');

/** Compiled for the machine: loaded from node_modules, by the version of Node. */
const NATIVE = ['better-sqlite3', 'better-sqlite3-13'];

/** Decorators with the types of what they decorate, which Nest reads and esbuild does not write. */
const swcOptions = (filename) => ({
  filename,
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
});

const namesIn = (clause) =>
  clause
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
    .map((it) => it.split(' as '))
    .map(([name, as = name]) => ({ name, as }));

/** The file in which each name of an `index.ts` is defined, and what it is called there. */
function definitionsIn(index) {
  const { code } = transformSync(readFileSync(index, 'utf8'), swcOptions(index));
  const found = new Map();
  for (const [, clause, from] of code.matchAll(/^export \{([^}]*)\} from '(\.[^']+)';/gm))
    for (const { name, as } of namesIn(clause))
      found.set(as, { name, file: `${join(dirname(index), from)}.ts` });
  return found;
}

/**
 * Compiles our modules, and imports each name of a package's `index.ts` from the file that defines
 * it. esbuild follows every line of such a list for whoever imports one name of it: `findings`
 * would load all that acts, for the sake of `apply`.
 */
const ours = {
  name: 'ours',
  setup(build) {
    const known = new Map();
    const definitionsOf = async (specifier, importer) => {
      if (!known.has(specifier)) {
        const { path } = await build.resolve(specifier, {
          kind: 'import-statement',
          importer,
          resolveDir: dirname(importer),
        });
        known.set(specifier, path.endsWith('/index.ts') ? definitionsIn(path) : new Map());
      }
      return known.get(specifier);
    };
    const direct = async (code, importer) => {
      let text = code;
      for (const [whole, clause, specifier] of code.matchAll(
        /^import \{([^}]*)\} from '(@ovn-steward\/[a-z]+)';/gm,
      )) {
        const definitions = await definitionsOf(specifier, importer);
        const imports = namesIn(clause).map(({ name, as }) => {
          const definition = definitions.get(name) ?? { name, file: specifier };
          return `import { ${definition.name} as ${as} } from ${JSON.stringify(definition.file)};`;
        });
        text = text.replace(whole, () => imports.join(' ')); // on one line, as source maps have it
      }
      return text;
    };
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), swcOptions(path));
      return { contents: await direct(code, path), loader: 'js' };
    });
  },
};

/** What every program is bundled with. */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // An image is built without the one that ours extends, of which esbuild warns.
  tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
  conditions: ['@ovn-steward/source'],
  external: [...NATIVE, ...OPTIONAL.flatMap((it) => [it, `${it}/*`])],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none', // they are in the file of licenses
  sourcemap: true,
  sourcesContent: false,
  plugins: [ours],
  metafile: true,
  logLevel: 'warning',
};

/**
 * Bundles a program, and writes beside it the terms under which we have the packages that are in it
 * (`licenses.txt`).
 * @param folder of the package, from which paths count.
 * @param options of esbuild: what comes in, where it goes (`outdir`), and in which form.
 */
module.exports.bundle = async (folder, options) => {
  const { metafile } = await esbuild.build({ ...OPTIONS, absWorkingDir: folder, ...options });
  writeFileSync(join(folder, options.outdir, 'licenses.txt'), licensesOf(metafile, folder));
};
