import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const TYPESCRIPT = join(__dirname, '../../../tools/lib/typescript.cjs');

/** MB in use when a process whose heap grows to 400 of them collected it in full. */
function collectedAt(begin: string): number[] {
  const program = `
    const { keepHeapClose, growWhileSmall } = require(${JSON.stringify(join(__dirname, 'heap-growth.ts'))});
    const check = ${begin};
    const kept = [];
    const grow = () => {
      for (let nth = 0; nth < 20; nth++)
        kept.push(Array.from({ length: 400 }, (_, at) => ({ at, all: [at] })));
      check?.();
      if (kept.length < 10_000) setImmediate(grow);
    };
    grow();
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--trace-gc', '--require', TYPESCRIPT, '--eval', program],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return [...stdout.matchAll(/Mark-Compact.*? (\d+)\.\d \(/g)].map(([, used]) => Number(used));
}

test('a small heap that is read once is collected seldom, a large one that is held often', () => {
  const [held, readOnce] = [collectedAt('keepHeapClose()'), collectedAt('growWhileSmall()')];
  const small = (used: number): boolean => used < 200;
  expect(held.filter(small).length).toBeGreaterThan(readOnce.filter(small).length);
  expect(held.filter((it) => !small(it)).length).toBeGreaterThan(
    readOnce.filter((it) => !small(it)).length,
  );
});
