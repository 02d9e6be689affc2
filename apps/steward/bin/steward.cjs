#!/usr/bin/env node
// Left alone, V8 lets the heap grow to several times what is alive before it collects. We hold a large world for long: half as much again is enough.
require('node:v8').setFlagsFromString('--heap-growing-percent=50');
// Whoever reads our output may stop reading (`| head`): that is no error of ours.
process.stdout.on('error', (error) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
import('../dist/bundle/main.mjs')
  .then(({ main }) => main(process.argv))
  .then((code) => {
    process.exitCode = code;
  });
