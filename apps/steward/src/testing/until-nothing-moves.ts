import { setTimeout as sleep } from 'node:timers/promises';
import { startSteward } from './cli';
import type { EnforcedBed } from './enforced-bed';

/**
 * In this time after something happened everywhere, whoever has something to say or to do has
 * begun.
 */
const QUIET_MS = 6000;

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  /** Uids of objects that were written and put back. */
  readonly stirred: ReadonlySet<string>;
}

/**
 * `steward run` until it says nothing more although something happened everywhere, twice; then it
 * is interrupted.
 */
export async function untilNothingMoves(
  bed: EnforcedBed,
  stirring: () => Promise<readonly string[]>,
): Promise<Ran> {
  const child = startSteward(['run', ...bed.args]);
  const stirred = new Set<string>();
  let said = '';
  let saidAt = Date.now();
  let silences = 0;
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      saidAt = Date.now();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const quiet = async (): Promise<void> => {
    while (child.exitCode === null && (said === '' || Date.now() - saidAt < QUIET_MS))
      await sleep(200);
  };
  await quiet();
  while (child.exitCode === null && silences < 2) {
    const before = said.length;
    saidAt = Date.now();
    for (const uid of await stirring()) stirred.add(uid);
    await quiet();
    silences = said.length === before ? silences + 1 : 0;
  }
  child.kill('SIGINT');
  return { code: await ended, output: said, stirred };
}
