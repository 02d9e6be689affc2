import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { Checkpoint } from './checkpoint';
import { onCheckpoint, readCheckpoint } from './read-checkpoint';

let path = '';
beforeEach(() => (path = join(mkdtempSync(join(tmpdir(), 'checkpoint-')), 'analyzer.db')));
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const failed = (code: string, message: RegExp): Error =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as unknown }) as Error;

test('an empty one, beside the analyzer that holds it, says nothing', () => {
  const checkpoint = new Checkpoint(path, 2);
  expect(readCheckpoint(path)).toEqual({ findings: [], streams: [] });
  checkpoint.close();
});

test('one that is just being made is not damaged', () => {
  const beingMade = openSqliteDatabase(path);
  beingMade.pragma('journal_mode = WAL');
  expect(() => readCheckpoint(path)).toThrow(failed('input-not-found', /holds nothing yet/));
  beingMade.close();
});

test('one that may not be opened is not damaged', () => {
  mkdirSync(path);
  expect(() => readCheckpoint(path)).toThrow(
    failed('input-unreadable', /cannot be opened.*as the user that steward run runs as/),
  );
});

test('one that is locked is not damaged', () => {
  new Checkpoint(path, 2).close();
  const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  const query = (): never => {
    throw locked;
  };
  expect(() => onCheckpoint(path, query)).toThrow(failed('log-locked', /try again/));
});

test('of a damaged one it is said what to do', () => {
  writeFileSync(path, 'no database, but long enough'.repeat(100));
  expect(() => readCheckpoint(path)).toThrow(failed('state-corrupt', /move it away.*rebuilt/));
});
