// Runs this package's TypeScript as it stands, without a build: `node tools/testbed/run.cjs`.
const { join } = require('node:path');
require('../lib/typescript.cjs');

require(join(__dirname, 'src', 'main.ts'));
