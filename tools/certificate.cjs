// `npm run -s certificate`: the whole corpus, and a page that says what of it went wrong.
const { runMain } = require('./lib/run-main.cjs');

runMain('certificate-main.ts');
