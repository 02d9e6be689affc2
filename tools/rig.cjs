// `npm run -s rig`: beside Kube-OVN's own controller, on a real API server and OVN 25.03.
const { runMain } = require('./lib/run-main.cjs');

runMain('rig-main.ts');
