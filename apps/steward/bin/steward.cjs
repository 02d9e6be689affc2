#!/usr/bin/env node
const { writeSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
// Node 20 optimizes a function after it has run a little: in a command of some seconds that takes a
// fifth of the processor time, most of it in vain. Later versions have another way, and not this
// flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');
// Whoever reads our output may stop reading (`| head`): that is no error of ours. A command goes on
// to its exit code, which must not depend on how much of its output the pipe took; one that goes on
// for ever ends as by a signal.
let isRead = true;
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') {
    if (isRead) process.emit('SIGTERM', 'SIGTERM');
    isRead = false;
    return;
  }
  writeSync(2, `steward: Standard output cannot be written: ${error.message}.\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);
import('../dist/bundle/main.mjs')
  .then(({ main }) => main(process.argv))
  .then((code) => {
    process.exitCode = code;
  });
