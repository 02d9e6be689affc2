#!/usr/bin/env node
// `npm start`: a first look without a cluster. Installs and builds where needed, replays a recorded
// cluster that has leaks in it through the whole pipeline, and says what to try next.
const { spawn, spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const { clearInterval, setInterval } = require('node:timers');
const { build } = require('./lib/build.cjs');
const { firstScreen } = require('./lib/first-screen.cjs');
const { ensureInstalled } = require('./lib/install.cjs');
const { requireNode } = require('./lib/require-node.cjs');
const { ROOT } = require('./lib/root.cjs');
const { say } = require('./lib/run.cjs');

const RECORDING = 'examples/recordings/leaky';
const STATE = '.steward/demo';
const INPUT = ['--ovn-nb', `${RECORDING}/nb.db`, '--kubernetes', RECORDING];
const FOUND_SOMETHING = 2;
const STEWARD = 'apps/steward/bin/steward.cjs';

/** Plays the recording; gives the exit status. Shows how far it is on a terminal. */
function play() {
  const args = [STEWARD, 'run', ...INPUT, '--state-dir', STATE, '--speed', '600'];
  const child = spawn(process.execPath, [...args, '--until-quiet', '10', '--output', 'ndjson'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const states = new Map();
  const began = Date.now();
  const show = () => {
    const confirmed = [...states.values()].filter((it) => it === 'confirmed').length;
    const seconds = Math.round((Date.now() - began) / 1000);
    const text = `    ${seconds} s: ${states.size} findings so far, ${confirmed} of them confirmed`;
    process.stderr.write(process.stderr.isTTY ? `\r${text}` : `${text}\n`);
  };
  // On a terminal one line that moves; in a log a line now and then, so that nobody takes it for
  // stuck.
  const timer = setInterval(show, process.stderr.isTTY ? 1000 : 10_000);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, state } = JSON.parse(line);
    states.set(id, state);
    if (process.stderr.isTTY) show();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      clearInterval(timer);
      show();
      if (process.stderr.isTTY) process.stderr.write('\n');
      resolve(status ?? 1);
    });
  });
}

/** What stands now. */
function findings() {
  const args = [STEWARD, 'findings', '--state-dir', STATE, '--output', 'json'];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

async function main() {
  requireNode();
  ensureInstalled();
  say('Building');
  if (build() !== 0) return 1;
  rmSync(join(ROOT, STATE), { recursive: true, force: true });
  say(
    `Replaying ${RECORDING}, its clock 600 times faster; this ends once nothing has changed for ten seconds`,
  );
  const status = await play();
  if (status !== 0 && status !== FOUND_SOMETHING) return status;
  process.stdout.write(firstScreen(findings(), { state: STATE, input: INPUT }));
  return 0;
}

main().then(
  (status) => (process.exitCode = status),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
