#!/usr/bin/env node
// `npm run -s bench -- <name> [options]`: builds what changed and runs a benchmark. Standard output
// is the benchmark's alone.
const { build } = require('./lib/build.cjs');
const { run } = require('./lib/run.cjs');

function main(args) {
  const status = build(['@ovn-steward/benchmarks']);
  return status === 0 ? run(process.execPath, ['benchmarks/dist/main.js', ...args]) : status;
}

process.exitCode = main(process.argv.slice(2));
