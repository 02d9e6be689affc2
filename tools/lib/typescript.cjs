// Lets `node --require` this run our TypeScript as it stands, without a build.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const jsc = require('./swc-jsc.cjs');

require.extensions['.ts'] = (module, filename) => {
  const options = {
    filename,
    swcrc: false,
    sourceMaps: 'inline',
    jsc,
    module: { type: 'commonjs' },
  };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
