import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startEnforcedBed } from '../../apps/steward/src/testing/enforced-bed';
import { SHOWN, STATE_FILES } from './kept-state';

const QUIET_S = '15';

/** A command line of some version. @returns what it wrote; it must end with one of `codes`. */
export async function report(
  steward: string,
  args: readonly string[],
  codes: readonly number[] = [0],
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [steward, ...args], {
      maxBuffer: 2 ** 28,
    });
    return stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (typeof code === 'number' && codes.includes(code)) return stdout ?? '';
    throw error;
  }
}

/**
 * Has the program `steward` of some version find, act and take decisions on a recorded cluster that
 * lives, and keeps its state, with what it shows of it, in `folder`.
 */
export async function keepState(steward: string, folder: string): Promise<void> {
  const bed = await startEnforcedBed('leaky');
  try {
    const state = ['--state-dir', bed.stateDir];
    await report(steward, ['run', ...bed.args, '--until-quiet', QUIET_S], [0, 2, 3]);
    const open = JSON.parse(
      await report(steward, ['findings', ...state, '--output', 'json'], [0, 2, 3]),
    ) as { id: string }[];
    await report(steward, ['hold', '--rule', 'leaked-ip', '--reason', 'kept', ...state], [0, 3]);
    await report(steward, ['suppress', open[0]!.id, '--reason', 'kept', ...state], [0, 3]);
    await report(steward, ['run', ...bed.args, '--until-quiet', QUIET_S], [0, 2, 3]);
    mkdirSync(folder, { recursive: true });
    for (const name of STATE_FILES)
      writeFileSync(
        join(folder, `${name}.gz`),
        gzipSync(readFileSync(join(bed.stateDir, name)), { level: 9 }),
      );
    for (const [name, args] of Object.entries(SHOWN))
      writeFileSync(
        join(folder, `${name}.json`),
        await report(steward, [...args, ...state], [0, 2]),
      );
  } finally {
    await bed.stop();
  }
}
