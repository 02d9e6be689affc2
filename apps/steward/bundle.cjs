// node bundle.cjs: the command line as it is shipped: what each command loads as a few files, and
// source maps.
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { bundle } = require('../../tools/lib/bundle.cjs');

/**
 * As deep below the package as the sources are, which look for files of the package from where they
 * are.
 */
const FOLDER = 'dist/bundle';

/** What modules of CommonJS have, and those of ECMAScript do not. */
const COMMONJS = `import { createRequire as createRequireOfChunk } from 'node:module';
const require = createRequireOfChunk(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

rmSync(join(__dirname, FOLDER), { recursive: true, force: true });
bundle(__dirname, {
  entryPoints: {
    main: 'src/main.ts',
    'recording-thread': '../../services/collector/src/sources/recording/recording-thread.ts',
  },
  outdir: FOLDER,
  outExtension: { '.js': '.mjs' },
  splitting: true,
  format: 'esm',
  banner: { js: COMMONJS },
});
