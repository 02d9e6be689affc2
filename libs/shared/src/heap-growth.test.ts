import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TYPESCRIPT_ARGUMENTS } from './testing/typescript-arguments';

/**
 * How often a process collects its heap in full while what stays in it grows from 40 to 120 MB, and
 * from 260 to 640 MB. Each begins when the growth by the size before it is set and counts.
 */
async function collections(
  begin: string,
): Promise<{ readonly small: number; readonly large: number }> {
  const program = `
    const { writeSync } = require('node:fs');
    const { getHeapStatistics } = require('node:v8');
    const { setImmediate: turn, setTimeout: pause } = require('node:timers/promises');
    const { keepHeapClose, growWhileSmall } = require(${JSON.stringify(join(__dirname, 'heap-growth.ts'))});
    const check = ${begin};
    const kept = [];
    // In turns of the event loop: marking goes on between them.
    const growTo = async (megabytes) => {
      while (getHeapStatistics().used_heap_size < megabytes * 1e6) {
        kept.push(new Array(8000).fill(0.5));
        check?.();
        await turn();
      }
    };
    const phase = async (name, from, to) => {
      await growTo(from);
      await pause(1100);
      gc();
      writeSync(1, 'begin ' + name + '\\n');
      await growTo(to);
      writeSync(1, 'end\\n');
    };
    phase('small', 40, 120).then(() => phase('large', 260, 640));
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--trace-gc',
    '--expose-gc',
    ...TYPESCRIPT_ARGUMENTS,
    '--eval',
    program,
  ]);
  expect(stderr).toBe('');
  const within = (name: string): number =>
    stdout.split(`begin ${name}\n`)[1]!.split('end\n')[0]!.split('Mark-Compact').length - 1;
  return { small: within('small'), large: within('large') };
}

test('a small heap that is read once is collected seldom, a large one that is held often', async () => {
  const [held, readOnce] = await Promise.all([
    collections('keepHeapClose()'),
    collections('growWhileSmall()'),
  ]);
  expect(held.small).toBeGreaterThan(readOnce.small);
  expect(held.large).toBeGreaterThan(readOnce.large);
});
