// node bundle.cjs: the command line as it is shipped: what each command loads as a few files with
// everything in them but native packages, source maps, and beside them the terms under which we
// have the packages. Loading a thousand modules one by one took half a second of every start.
const { readFileSync, rmSync, writeFileSync } = require('node:fs');
const { readFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { transform, transformSync } = require('@swc/core');
const esbuild = require('esbuild');
const { licensesOf } = require('../../tools/lib/licenses.cjs');

/**
 * As deep below the package as the sources are, which look for files of the package from where they
 * are.
 */
const FOLDER = join(__dirname, 'dist', 'bundle');

/** Compiled for the machine: loaded from node_modules, by the version of Node. */
const NATIVE = ['better-sqlite3', 'better-sqlite3-13'];

/** Packages that Nest loads where they are installed. They are not. */
const OPTIONAL = [
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
];

/** What modules of CommonJS have, and those of ECMAScript do not. */
const COMMONJS = `import { createRequire as createRequireOfChunk } from 'node:module';
const require = createRequireOfChunk(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

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

async function main() {
  rmSync(FOLDER, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    entryPoints: {
      main: join(__dirname, 'src/main.ts'),
      'recording-thread': join(__dirname, 'src/inputs/recording-thread.ts'),
    },
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: __dirname,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
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
    banner: { js: COMMONJS },
  });
  writeFileSync(join(FOLDER, 'licenses.txt'), licensesOf(metafile, __dirname));
}

module.exports = { OPTIONAL };
if (require.main === module) main();
