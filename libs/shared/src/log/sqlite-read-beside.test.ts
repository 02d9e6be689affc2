import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog } from './sqlite-log';
import { readBeside } from './sqlite-read-beside';
import { ACTIONS, TOPICS } from './topics';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beside-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('reads what the process that has the log appends, as that does', async () => {
  const file = join(folder, 'log.db');
  const log = openSqliteLog({ file });
  await log.ensureTopics(TOPICS);
  expect(readBeside(file, ACTIONS, 3, 0n, 10)).toEqual(await log.read(ACTIONS, 3, 0n, 10));
  await log.append(
    ACTIONS,
    3,
    ['a', 'b', 'c'].map((key) => ({ key, value: 'x', headers: { h: '1' }, timestamp: 1 })),
  );
  const first = readBeside(file, ACTIONS, 3, 0n, 2);
  expect(first).toEqual(await log.read(ACTIONS, 3, 0n, 2));
  expect(readBeside(file, ACTIONS, 3, first.next, 10).records.map((it) => it.key)).toEqual(['c']);
  await log.append(ACTIONS, 3, [{ key: 'd', value: null, timestamp: 1 }]);
  expect(readBeside(file, ACTIONS, 3, 3n, 10).records).toMatchObject([{ key: 'd', value: null }]);
  await log.close();
});

test('a log that is not there, or ends before, is reported', async () => {
  const file = join(folder, 'log.db');
  expect(() => readBeside(file, ACTIONS, 3, 0n, 10)).toThrow(
    expect.objectContaining({ code: 'log-unavailable' }),
  );
  const log = openSqliteLog({ file });
  await log.ensureTopics(TOPICS);
  expect(() => readBeside(file, ACTIONS, 3, 7n, 10)).toThrow(
    expect.objectContaining({ code: 'log-position-lost' }),
  );
  expect(() => readBeside(file, 'nothing', 3, 0n, 10)).toThrow(
    expect.objectContaining({ code: 'log-topic-unknown' }),
  );
  await log.close();
});
