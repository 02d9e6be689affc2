#!/usr/bin/env node
// Whoever reads our output may stop reading (`| head`): that is no error of ours.
process.stdout.on('error', (error) => { process.exit(error.code === 'EPIPE' ? 0 : 1); });
require('../dist/main.js').main(process.argv).then((code) => { process.exitCode = code; });
