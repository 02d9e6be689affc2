import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { DEAD_LETTER, FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Checkpoint } from '../store/checkpoint';
import { ANALYZER_HEADER } from '@ovn-steward/contracts/findings/finding-origin';
import { relay } from './relay';

const PARTITION = 3;
const clock = (): Date => new Date('2026-01-01T00:00:00Z');

let folder: string;
let log: SqliteLog;
let checkpoint: Checkpoint;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relay-'));
  log = openSqliteLog({ file: ':memory:', now: () => clock().getTime() });
  await log.ensureTopics(TOPICS);
  checkpoint = new Checkpoint(join(folder, 'a.db'), PARTITION);
  checkpoint.reset(0n);
});
afterEach(async () => {
  checkpoint.close();
  await log.close();
  rmSync(folder, { recursive: true });
});

/** Makes a tombstone of each key ready. */
const ready = (...keys: readonly string[]): void =>
  checkpoint.save({
    position: 1n,
    at: clock().getTime(),
    judged: true,
    clusters: [],
    outgoing: keys.map((key) => ({
      topic: FINDINGS,
      key,
      value: null,
      headers: { [ANALYZER_HEADER]: checkpoint.id },
    })),
  });
const publish = (): Promise<void> => relay(checkpoint, { log, partition: PARTITION, clock });
const append = (key: string, analyzer: string): Promise<unknown> =>
  log.append(FINDINGS, PARTITION, [
    {
      key,
      value: null,
      headers: { [ANALYZER_HEADER]: analyzer },
      timestamp: clock().getTime(),
    },
  ]);
const keys = async (): Promise<string[]> =>
  (await log.read(FINDINGS, PARTITION, 0n, 100)).records.map(({ key }) => key);

test('publishes what is ready, once, in its order', async () => {
  ready('a', 'b');
  await publish();
  ready('c');
  await publish();
  await publish();
  expect(await keys()).toEqual(['a', 'b', 'c']);
});

test('what could not be published stays ready, and what was published does not', async () => {
  const records = [FINDINGS, DEAD_LETTER].map((topic) => ({
    topic,
    key: topic,
    value: null,
    headers: {},
  }));
  checkpoint.save({
    position: 1n,
    at: clock().getTime(),
    judged: true,
    clusters: [],
    outgoing: records,
  });
  const full: SqliteLog = {
    ...log,
    append: async (topic, ...more) => {
      if (topic === DEAD_LETTER) throw new Failure('log-full', 'the disk is full');
      return log.append(topic, ...more);
    },
  };
  await expect(relay(checkpoint, { log: full, partition: PARTITION, clock })).rejects.toThrow();
  expect(checkpoint.outgoing(10).map(({ topic }) => topic)).toEqual([DEAD_LETTER]);
});

test.each([1, 2])('%i record(s) of another analyzer in between end it', async (count) => {
  ready('a');
  await publish();
  for (let index = 0; index < count; index += 1) await append(`foreign ${index}`, 'another');
  ready('b');
  await expect(publish()).rejects.toMatchObject({ code: 'log-partition-lost' });
});

test('records of its own that it did not know of do not', async () => {
  ready('a');
  await publish();
  await append('a retry that arrived late', checkpoint.id);
  ready('b');
  await publish();
  expect(await keys()).toEqual(['a', 'a retry that arrived late', 'b']);
});
