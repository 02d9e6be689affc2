import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TYPESCRIPT_ARGUMENTS } from '../testing/typescript-arguments';
import type { CompactedTopic } from './log';
import { openSqliteDatabase } from './sqlite-database';
import { openSqliteLog } from './sqlite-log';

/** Opens the log in a process of its own, which can be killed. */
const OPENING = `
  const { openSqliteLog } = require(process.argv[1] + '/sqlite-log.ts');
  const log = openSqliteLog({ file: process.argv[2] });
`;

/**
 * Appends for ever, three callers at a time, compacting in between; prints each acknowledged \`key
 * offset\`.
 */
const APPENDING = `${OPENING}
  const run = process.argv[3];
  const caller = async (me) => {
    for (let n = 0; ; n += 1) {
      const keys = Array.from({ length: 1 + (n % 20) }, (_, at) => [run, me, n, at].join('-'));
      const { first } = await log.append('t', 0, keys.map((key) => ({ key, value: key.padEnd(400, '.'), timestamp: Date.now() })));
      process.stdout.write(keys.map((key, at) => key + ' ' + (first + BigInt(at)) + '\\n').join(''));
      if (n % 10 === 0) log.compact(Date.now());
    }
  };
  for (const me of ['a', 'b', 'c']) caller(me);
`;

const HOLDING = `${OPENING} process.stdout.write('open\\n'); setInterval(() => log, 1000);`;

const TOPIC: CompactedTopic = {
  name: 't',
  partitions: 1,
  cleanup: 'compact',
  minCompactionLagMs: 0,
  maxCompactionLagMs: 1,
  deleteRetentionMs: 1,
  maxMessageBytes: 10_000,
};

describe('the embedded log, when its process is killed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'log-'));
  const file = join(directory, 'log.db');
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  const start = (script: string, ...more: string[]): ChildProcess => {
    const child = spawn(
      process.execPath,
      [...TYPESCRIPT_ARGUMENTS, '-e', script, __dirname, file, ...more],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    return child;
  };

  it('has lost nothing that was acknowledged, whenever that was', async () => {
    const first = openSqliteLog({ file });
    await first.ensureTopics([TOPIC]);
    await first.close();
    const acknowledged = new Map<string, string>();
    for (let run = 0; run < 12; run += 1) {
      const child = start(APPENDING, `${run}`);
      // Somewhere in the writing, at a place nobody chose: counted, since machines differ in how
      // much they write in a while.
      const wanted = 45 + Math.floor(Math.random() * 400);
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      const closed = once(lines, 'close');
      let heard = 0;
      const enough = new Promise<void>((resolve) => {
        lines.on('line', (line) => {
          const [key, offset, rest] = line.split(' ');
          if (key && offset && rest === undefined) acknowledged.set(key, offset);
          if ((heard += 1) === wanted) resolve();
        });
      });
      await Promise.race([enough, closed]);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await closed;
      expect(await exited).toEqual([null, 'SIGKILL']); // not of an error of its own
      expect(heard).toBeGreaterThanOrEqual(wanted);

      const log = openSqliteLog({ file });
      const stored = new Map<string, string>();
      const { high } = await log.watermarks('t', 0);
      for (let position = 0n; position < high;) {
        const batch = await log.read('t', 0, position, 5000);
        for (const { key, offset, value } of batch.records)
          if (value?.toString().startsWith(key)) stored.set(key, String(offset));
        position = batch.next;
      }
      await log.close();
      expect([...acknowledged].filter(([key, offset]) => stored.get(key) !== offset)).toEqual([]);
      const db = openSqliteDatabase(file, { readonly: true });
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      db.close();
    }
    expect(acknowledged.size).toBeGreaterThan(500);
  });

  it('is locked while the process lives, by its pid, and free once it is dead', async () => {
    const child = start(HOLDING);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(() => openSqliteLog({ file })).toThrow(
      expect.objectContaining({
        code: 'log-locked',
        retry: 'later',
        message: expect.stringContaining(`process ${child.pid} on`),
      }),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openSqliteLog({ file }).close();
  });
});
