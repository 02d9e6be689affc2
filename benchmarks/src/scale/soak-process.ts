import { pause } from '@ovn-steward/shared/pause';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Movable } from '../pipeline/moves';
import { type OneProcess, startOneProcess } from './one-process';

export interface SoakTask extends OneProcess {
  readonly minutes: number;
}

/** What a process has at one moment. */
interface Held {
  readonly heapMiB: number;
  readonly rssMiB: number;
  readonly handles: number;
  readonly files: number;
}

/** What the process prints when it is done, as JSON. */
export interface SoakResult {
  readonly changes: number;
  readonly early: Held;
  readonly late: Held;
  /** The most records that waited to be judged, of all samples. */
  readonly mostLag: number;
}

/** Both sources together: 200 changes a second. */
const EVERY_MS = 100;
const A_TIME = 10;
const SAMPLES = 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function held(): Promise<Held> {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const files = await readdir('/proc/self/fd').catch(() => []);
  return {
    heapMiB: heapUsed / 2 ** 20,
    rssMiB: rss / 2 ** 20,
    handles: process.getActiveResourcesInfo().filter((it) => it !== 'Timeout').length,
    files: files.length,
  };
}

/** Each thing in turn: changed, then removed, then as it was. */
async function* comingAndGoing(some: readonly Movable[], signal: AbortSignal) {
  for (let turn = 0; !signal.aborted; turn++) {
    const at = (turn * A_TIME) % some.length;
    const things = some.slice(at, at + A_TIME);
    const round = Math.floor((turn * A_TIME) / some.length) % 3;
    yield things.map((thing) => {
      if (round === 2) return thing;
      if (round === 1) {
        const { object: _removed, ...where } = thing;
        return { ...where, type: 'gone' } as const;
      }
      return { ...thing, object: { ...thing.object, soaked: String(turn) } };
    });
    await pause(EVERY_MS, signal);
  }
}

async function main(task: SoakTask): Promise<SoakResult> {
  let left = 2;
  let allRead = (): void => undefined;
  const everythingRead = new Promise<void>((resolve) => (allRead = resolve));
  const running = await startOneProcess(task, {
    wholeRead: async () => {
      if (--left === 0) allRead();
    },
    changes: comingAndGoing,
  });
  await everythingRead;
  const before = await running.judged();
  const sampleMs = (task.minutes * 60_000) / SAMPLES;
  let mostLag = 0;
  let early: Held | undefined;
  // The first tenth warms up: code is compiled, and buffers grow to their size.
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await sleep(sampleMs);
    mostLag = Math.max(mostLag, await running.lag());
    if (sample === SAMPLES / 10) early = await held();
  }
  const changes = (await running.judged()) - before;
  const late = await held();
  await running.stop();
  return { changes, early: early!, late, mostLag };
}

main(JSON.parse(process.argv[2] ?? '') as SoakTask).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
