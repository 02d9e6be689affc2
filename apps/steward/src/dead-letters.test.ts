import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import {
  ACTIONS,
  CHANGES,
  CONTROL,
  DEAD_LETTER,
  FINDINGS,
  TOPICS,
} from '@ovn-steward/shared/log/topics';
import { steward } from './testing/cli';

const MIB = 1_048_576;
const POISON = { key: 'north/ovn-nb/ACL/u1', value: Buffer.from('{"type":"pu') };
const LATER = { key: 'north/ovn-nb/ACL/u2', value: Buffer.from('{"version":2}') };
const FOREIGN = { key: 'orders \u001b[31m', value: Buffer.from([0, 27, 91, 50, 74, 255]) };
const TOMBSTONE = { key: 'north/ovn-nb/ACL/u3', value: null };

describe('steward dead-letters', () => {
  let folder: string;
  let state: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-letters-'));
    state = join(folder, 'state');
    await onLog((log) => log.ensureTopics(TOPICS));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function onLog<T>(use: (log: Log) => Promise<T>): Promise<T> {
    const log = openSqliteLog({ file: join(state, 'log.db') });
    try {
      return await use(log);
    } finally {
      await log.close();
    }
  }
  /**
   * Appends the records to partition 2 of the changes and sets each aside, as the analyzer does
   * with what it cannot read.
   */
  const poison = (...records: readonly { key: string; value: Buffer | null }[]): Promise<void> =>
    onLog(async (log) => {
      const { first } = await log.append(
        CHANGES,
        2,
        records.map((it) => ({ ...it, timestamp: 1 })),
      );
      const { records: read } = await log.read(CHANGES, 2, first, 100);
      for (const record of read)
        await log.append(DEAD_LETTER, 2, [
          deadLetterOf({
            topic: CHANGES,
            partition: 2,
            record,
            by: 'analyzer',
            at: new Date(Date.UTC(2026, 0, 2, 3, 4, Number(record.offset))),
            why: 'It is no change\u001b[0m of version 1.',
          }),
        ]);
    });
  const changes = async (): Promise<[string, string | undefined, Record<string, string>][]> =>
    onLog(async (log) =>
      (await log.read(CHANGES, 2, 0n, 100)).records.map(({ key, value, headers }) => [
        key,
        value?.toString('base64'),
        headers,
      ]),
    );
  const letters = (...args: string[]) => steward(['dead-letters', ...args, '--state-dir', state]);

  it('says that there are none', async () => {
    expect(await letters()).toEqual({ code: 0, stdout: 'No dead letters.\n', stderr: '' });
    expect(await letters('--output', 'json')).toEqual({ code: 0, stdout: '[\n]\n', stderr: '' });
  });

  it('lists what, where from, why, by whom, when, how large and how it begins; and nothing that a terminal obeys', async () => {
    await poison(POISON, FOREIGN, TOMBSTONE);
    const { code, stdout } = await letters();
    expect(code).toBe(2);
    expect(stdout).toContain(
      `${CHANGES}/2/0\n  when   2026-01-02T03:04:00.000Z, by the analyzer\n  why    It is no change\\u001b[0m of version 1.\n  key    north/ovn-nb/ACL/u1\n  value  11 bytes: {"type":"pu\n`,
    );
    expect(stdout).toContain('  key    orders \\u001b[31m\n  value  6 bytes: \\u0000\\u001b[2J�\n');
    expect(stdout).toContain('  value  none (a tombstone)\n');
    expect(stdout).toContain('3 dead letters. Next:');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('gives whole letters as JSON, and only those of one topic', async () => {
    await poison(POISON);
    await onLog((log) =>
      log.append(DEAD_LETTER, 0, [
        deadLetterOf({
          topic: FINDINGS,
          partition: 0,
          record: { id: 'f', key: 'f', value: Buffer.alloc(10 * MIB, 65), timestamp: 1 },
          by: 'analyzer',
          at: new Date(0),
          why: 'Too large.',
        }),
      ]),
    );
    const all = JSON.parse((await letters('--output', 'json')).stdout) as {
      id: string;
      value: string;
    }[];
    expect(all.map(({ id, value }) => [id, Buffer.from(value, 'base64').length])).toEqual([
      [`${FINDINGS}/0/f`, 10 * MIB],
      [`${CHANGES}/2/0`, 11],
    ]);
    const { stdout } = await letters('--output', 'json', '--topic', CHANGES);
    expect(JSON.parse(stdout)).toEqual([
      {
        version: 1,
        id: `${CHANGES}/2/0`,
        topic: CHANGES,
        partition: 2,
        offset: '0',
        key: POISON.key,
        headers: {},
        value: POISON.value.toString('base64'),
        truncated: false,
        by: 'analyzer',
        at: '2026-01-02T03:04:00.000Z',
        why: 'It is no change\u001b[0m of version 1.',
        replayedAt: null,
      },
    ]);
  });

  it('sends nothing without --yes; with it, the bytes that were set aside, once', async () => {
    await poison(POISON, LATER, FOREIGN, TOMBSTONE);
    const before = await changes();
    const dry = await letters('replay', '--all');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Would be replayed:\n(?: {2}steward.*, to steward\.changes\.v1\/2 under the key north.*\n){3}Left as they are:\n {2}steward\.changes\.v1\/2\/2: its key is not one of .*\nNothing was sent\. To send, run the command again with --yes\.\n$/,
      ),
    ]);
    expect(await changes()).toEqual(before);
    const sent = await letters('replay', `${CHANGES}/2/1`, '--yes');
    expect(sent).toEqual({
      code: 0,
      stdout: `Replayed:\n  ${CHANGES}/2/1, 13 bytes, to ${CHANGES}/2 under the key ${LATER.key}, at offset 4\n`,
      stderr: '',
    });
    expect((await letters('replay', '--all', '--yes')).stdout).toMatch(
      /Left as they are:\n {2}steward\.changes\.v1\/2\/1: it was replayed at 20/,
    );
    const replayed = (at: number): unknown => [
      ...before[at]!.slice(0, 2),
      { 'replay-of': `${CHANGES}/2/${at}` },
    ];
    expect(await changes()).toEqual([...before, replayed(1), replayed(0), replayed(3)]);
    expect((await letters('replay', '--all', '--yes')).stdout).toMatch(
      /^Nothing to replay\.\nLeft as they are:\n/,
    );
    expect(await changes()).toHaveLength(7);
  });

  it('says what was sent where one that follows fails', async () => {
    await poison(POISON, TOMBSTONE, LATER);
    const db = openSqliteDatabase(join(state, 'log.db'));
    db.exec(
      `CREATE TRIGGER refusing BEFORE INSERT ON record WHEN NEW.key = '${LATER.key}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    db.close();
    const [first, second, third] = [0, 1, 2].map((offset) => `${CHANGES}/2/${offset}`);
    const sent = await letters('replay', first!, third!, second!, '--yes');
    expect(sent).toMatchObject({ code: 1, stderr: expect.stringContaining('refused') });
    expect(sent.stdout).toMatch(
      new RegExp(
        `^Replayed:\\n  ${first}, .*, at offset 3\\nNot known to have been replayed:\\n  ${third}\\n  ${second}\\n$`,
      ),
    );
    expect(await changes()).toHaveLength(4);
  });

  it('sends nothing to the topics of decisions and actions, nor what a forged letter says was elsewhere', async () => {
    await poison(POISON);
    const forged = (topic: string, more: object = {}): NewRecord => {
      const id = `${topic}/2/0`;
      const letter = {
        version: 1,
        id,
        topic,
        partition: 2,
        offset: '0',
        key: POISON.key,
        headers: {},
        value: POISON.value.toString('base64'),
        by: 'analyzer',
        at: '',
        why: '',
        ...more,
      };
      return { key: POISON.key, value: JSON.stringify(letter), headers: { id }, timestamp: 1 };
    };
    const forgeries = [
      forged(CONTROL),
      forged(ACTIONS),
      forged(CHANGES, { value: Buffer.from('{}').toString('base64') }),
    ];
    await onLog((log) => log.append(DEAD_LETTER, 2, forgeries));
    const { code, stdout } = await letters('replay', '--all', '--yes');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Nothing to replay\.\nLeft as they are:\n(?=[^]*control\.v1\/2\/0: nothing is ever replayed)(?=[^]*actions\.v1\/2\/0: nothing is ever replayed)[^]*changes\.v1\/2\/0: the record at .* is another/,
      ),
    ]);
    await onLog(async (log) => {
      for (const topic of [CONTROL, ACTIONS])
        expect((await log.read(topic, 2, 0n, 9)).records).toEqual([]);
    });
    expect(await changes()).toHaveLength(1);
  });

  it('does not put the past in the place of what is newer', async () => {
    await poison(POISON, LATER);
    await onLog((log) =>
      log.append(CHANGES, 2, [{ key: POISON.key, value: 'mended', timestamp: 1 }]),
    );
    const named = await letters('replay', `${CHANGES}/2/0`, `${CHANGES}/2/1`, '--yes');
    expect(named).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /2\/0 is not replayed: a newer record with its key is at offset 2 of .*Nothing was sent/,
      ),
    });
    expect(await changes()).toHaveLength(3);
    const all = await letters('replay', '--all', '--yes', '--output', 'json');
    expect(JSON.parse(all.stdout)).toEqual([
      {
        id: `${CHANGES}/2/0`,
        topic: CHANGES,
        partition: 2,
        offset: null,
        left: expect.stringContaining('newer'),
      },
      { id: `${CHANGES}/2/1`, topic: CHANGES, partition: 2, offset: '3', left: null },
    ]);
  });

  it.each<[string, string[], RegExp]>([
    ['an id that no letter has', ['replay', 'nowhere'], /No dead letter has the id nowhere/],
    ['neither ids nor --all', ['replay'], /ids, or give --all/],
    ['ids and --all', ['replay', 'x', '--all'], /ids, or give --all/],
    ['two logs', ['--kafka-brokers', 'localhost:1'], /name the one log/],
    ['a topic nobody set aside from', ['--topic', DEAD_LETTER], /choices/],
  ])('refuses %s in one sentence', async (_, args, says) => {
    expect(await letters(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
  });

  it('says whose the log is while a pipeline runs, and makes no log where there is none', async () => {
    expect(await onLog(() => letters())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`in use by process ${process.pid} on .*end it first`),
      ),
    });
    mkdirSync(join(folder, 'empty'));
    expect(await steward(['dead-letters', '--state-dir', join(folder, 'empty')])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/no event log/),
    });
  });
});
