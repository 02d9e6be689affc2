#!/usr/bin/env node
// The demo cluster: an ovsdb-server with the recorded Northbound of a cluster, in which something
// happens all the time. Each start begins with the recording again.
const { copyFileSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { livingPorts, nbctlOn, serve } = require('./northbound.cjs');
const { story } = require('./story.cjs');

const say = (line) => process.stdout.write(`${line}\n`);

function settings(env) {
  const number = (name, otherwise) => {
    const value = Number(env[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`${name} is ${env[name]}: give a number greater than 0`);
    return value;
  };
  return {
    recording: env.DEMO_RECORDING ?? '/recording/nb.db',
    port: number('DEMO_PORT', 6641),
    seed: number('DEMO_SEED', 1),
    stepSeconds: number('DEMO_STEP_SECONDS', 1),
    steps: env.DEMO_STEPS === undefined ? Infinity : number('DEMO_STEPS'),
  };
}

/** A step that fails is told and left out: the rest of the story bears it, as a cluster would. */
async function play(nbctl, { seed, stepSeconds, steps }, signal) {
  const ports = await livingPorts(nbctl);
  say(`${ports.length} living pods; seed ${seed}; a step every ${stepSeconds} s`);
  let played = 0;
  for (const { says, command } of story({ seed, ports })) {
    if (signal.aborted || played++ >= steps) return;
    try {
      await nbctl(command);
      say(says);
    } catch (error) {
      say(`${says} (failed: ${error.stderr?.trim() || error.message})`);
    }
    await sleep(stepSeconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}

async function main() {
  const wanted = settings(process.env);
  const stop = new globalThis.AbortController();
  for (const it of ['SIGTERM', 'SIGINT']) process.once(it, () => stop.abort());
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const file = join(folder, 'nb.db');
  copyFileSync(wanted.recording, file);
  const socket = process.env.DEMO_SOCKET ?? join(folder, 'nb.sock');
  const server = await serve({ file, socket, control: join(folder, 'nb.ctl'), port: wanted.port });
  say(`Northbound listens on port ${wanted.port}`);
  stop.signal.addEventListener('abort', server.stop);
  const playing = play(nbctlOn(socket), wanted, stop.signal);
  const how = await Promise.race([server.ended, playing.then(() => server.ended)]);
  rmSync(folder, { recursive: true, force: true });
  if (!stop.signal.aborted) throw new Error(`ovsdb-server ended (${how})`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
