// `npm run -s e2e -- incidents`: what went wrong in the field, played on real servers without and
// with ovn-steward.
const { runMain } = require('./lib/run-main.cjs');

runMain('incidents-main.ts');
