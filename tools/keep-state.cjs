// `npm run -s keep-state`: keeps what this version remembers of a cluster in e2e/upgrade/states,
// for the upgrade tests of later versions.
const { runMain } = require('./lib/run-main.cjs');

runMain('keep-state-main.ts');
