import { transformFileSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes thousands of statements, and enough garbage for V8 to collect them between tasks, where no
 * context is entered. Version 12 of the driver, compiled for Node 24.19 or newer, aborts within 100
 * ms of this.
 */
const COLLECTED = `
  const db = require('./log/sqlite-database').openSqliteDatabase(':memory:');
  let turns = 0;
  let junk = [];
  setInterval(() => {
    for (let n = 0; n < 1000; n += 1) db.pragma('user_version');
    junk.push(new Array(50_000).fill(turns).map((x) => ({ x })));
    if (junk.length > 20) junk = [];
    if ((turns += 1) > 30) process.exit(0);
  }, 1);
`;

describe('the SQLite driver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'driver-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The compiled module in a folder where it finds the packages of `NODE_PATH`, and no others. */
  const run = async (script: string, packages: string): Promise<void> => {
    mkdirSync(join(folder, 'log'), { recursive: true });
    for (const name of ['errors', 'file-trouble', 'private-files', 'log/sqlite-database'])
      writeFileSync(
        join(folder, `${name}.js`),
        transformFileSync(join(__dirname, '..', `${name}.ts`), {
          swcrc: false,
          jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
          module: { type: 'commonjs' },
        }).code,
      );
    await promisify(execFile)(process.execPath, ['-e', script], {
      cwd: folder,
      env: { NODE_PATH: packages },
    });
  };

  it('survives the collection of what it gave, on whatever Node this is', async () => {
    await run(COLLECTED, join(__dirname, '../../../../node_modules'));
  });

  it('says what to do when it is not installed for this Node', async () => {
    const open = `try { require('./log/sqlite-database').openSqliteDatabase(':memory:'); } catch (error) { if (error.code === 'config-invalid' && error.message.includes('npm ci')) process.exit(0); console.error(error); } process.exit(1);`;
    await run(open, join(folder, 'nothing'));
  });
});
