import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpoint } from './checkpoint';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that cannot be opened is not kept locked: once it is moved away, this process makes another', () => {
  const path = join(folder, 'analyzer-2.db');
  writeFileSync(path, 'this is no database, and longer than the header of one would be');
  for (let tries = 0; tries < 2; tries += 1)
    expect(() => new Checkpoint(path, 2)).toThrow(
      expect.objectContaining({ code: 'state-corrupt' }),
    );
  rmSync(path);
  const checkpoint = new Checkpoint(path, 2);
  expect([checkpoint.position, checkpoint.judged]).toEqual([0n, false]);
  checkpoint.close();
});

test('one that is open is refused to a second reader, and free once it is closed', () => {
  const path = join(folder, 'analyzer-2.db');
  const first = new Checkpoint(path, 2);
  expect(() => new Checkpoint(path, 2)).toThrow(expect.objectContaining({ code: 'log-locked' }));
  first.close();
  const second = new Checkpoint(path, 2);
  expect(second.id).not.toBe('');
  second.close();
});
