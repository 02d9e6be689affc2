// Runs this package's TypeScript as it stands, without a build: `node tools/testbed/run.cjs`.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = { filename, swcrc: false, sourceMaps: 'inline', jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};

require(join(__dirname, 'src', 'main.ts'));
