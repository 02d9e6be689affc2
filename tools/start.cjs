#!/usr/bin/env node
// `npm start`: a first look without a cluster. Installs and builds where needed, replays a recorded cluster that has leaks in it
// through the whole pipeline, and says what to try next.
const { spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { build } = require('./lib/build.cjs');
const { ensureInstalled } = require('./lib/install.cjs');
const { requireNode } = require('./lib/require-node.cjs');
const { ROOT } = require('./lib/root.cjs');
const { run, say } = require('./lib/run.cjs');

const RECORDING = 'examples/recordings/leaky';
const STATE = '.steward/demo';
const INPUT = ['--ovn-nb', `${RECORDING}/nb.db`, '--kubernetes', RECORDING];
const FOUND_SOMETHING = 2;
const STEWARD = 'apps/steward/bin/steward.cjs';

/** The start of a confirmed finding's id: enough to name it. */
function someId() {
  const { stdout } = spawnSync(
    process.execPath,
    [STEWARD, 'findings', '--state-dir', STATE, '--state', 'confirmed', '--output', 'json'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout)[0]?.id.slice(0, 10) ?? '<id>';
}

const next = (id) => `
That was a recorded cluster, and nothing was changed anywhere. Try next:

  npx steward audit ${INPUT.join(' ')}
                                    one look, as a table
  npx steward findings --state-dir ${STATE}
                                    what stands now
  npx steward explain ${id} --state-dir ${STATE}
                                    why, fact by fact
  npx steward audit --help          how to point it at your own cluster, or at a backup of it
  npm test                          every test, against real OVN and Kubernetes servers
`;

function main() {
  requireNode();
  ensureInstalled();
  say('Building');
  if (build() !== 0) return 1;
  rmSync(join(ROOT, STATE), { recursive: true, force: true });
  say(
    `Replaying ${RECORDING}, its clock 600 times faster; this ends once nothing has changed for ten seconds`,
  );
  const status = run(process.execPath, [
    STEWARD,
    'run',
    ...INPUT,
    '--state-dir',
    STATE,
    '--speed',
    '600',
    '--until-quiet',
    '10',
  ]);
  if (status !== 0 && status !== FOUND_SOMETHING) return status;
  process.stdout.write(next(someId()));
  return 0;
}

process.exitCode = main();
