#!/usr/bin/env node
// Runs at the end of `npm ci` and `npm install`: builds every package, so that `npx steward` works
// from a clone.
const { build, canBuild } = require('./lib/build.cjs');
const { say } = require('./lib/run.cjs');

if (canBuild()) {
  say('Building every package');
  process.exitCode = build();
} else {
  // No failure: a production image installs with --omit=dev and brings its build along.
  process.stderr.write(
    'ovn-steward was not built: building needs the development dependencies (npm ci without --omit=dev).\n',
  );
}
