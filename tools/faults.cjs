// `npm run -s faults -- --seed N --output json`: what the services do when what they stand on
// breaks. Uses real servers.
const { runMain } = require('./lib/run-main.cjs');

runMain('faults-main.ts');
