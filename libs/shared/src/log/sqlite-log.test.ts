import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLog } from './log.contract';
import { openSqliteDatabase } from './sqlite-database';
import { openSqliteLog, type SqliteLog } from './sqlite-log';
import { TOPICS } from './topics';

const LAG_MS = 1000;

describeLog({
  name: 'SQLite',
  lagMs: LAG_MS,
  timeoutMs: 0,
  runs: 30,
  async start() {
    const directory = mkdtempSync(join(tmpdir(), 'log-'));
    const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
    let log: SqliteLog;
    return {
      open: async () =>
        (log = openSqliteLog({ file: join(directory, 'log.db'), now: () => clock.now })),
      now: () => clock.now,
      async pass(ms) {
        clock.now += ms;
        while (log.compact(clock.now).more);
      },
      end: async () => rmSync(directory, { recursive: true }),
    };
  },
});

describe('openSqliteLog', () => {
  let directory: string;
  let file: string;
  const [changes] = TOPICS;
  const record = (key: string, value: string | null = 'x', timestamp = 1) => ({
    key,
    value,
    timestamp,
  });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'log-'));
    file = join(directory, 'deep', 'log.db');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const filled = async (name = file): Promise<SqliteLog> => {
    const log = openSqliteLog({ file: name });
    await log.ensureTopics(TOPICS);
    await log.append(
      TOPICS[0]?.name ?? '',
      0,
      Array.from({ length: 500 }, (_, n) => record(`${n}`, 'x'.repeat(1000))),
    );
    return log;
  };

  it('keeps what is superseded for as long as the lag of its topic says, to the millisecond', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const lagMs = 5000;
    const log = openSqliteLog({ file, now: () => now });
    await log.ensureTopics([
      {
        name: 'lagging',
        partitions: 1,
        maxMessageBytes: 1_000_000,
        cleanup: 'compact',
        minCompactionLagMs: lagMs,
        maxCompactionLagMs: lagMs,
        deleteRetentionMs: lagMs,
      },
    ]);
    await log.append('lagging', 0, [record('a', '1', now), record('a', '2', now)]);
    const values = async (at: number): Promise<(string | undefined)[]> => {
      while (log.compact(at).more);
      return (await log.read('lagging', 0, 0n, 10)).records.map(({ value }) => value?.toString());
    };
    expect(await values(now + lagMs - 1)).toEqual(['1', '2']);
    expect(await values(now + lagMs)).toEqual(['2']);
    await log.close();
  });

  it('leaves a file that any SQLite can read while we write', async () => {
    const log = await filled();
    const other = openSqliteDatabase(file, { readonly: true });
    expect(other.prepare('SELECT count(*) AS count FROM record').get()).toEqual({ count: 500 });
    expect(other.pragma('application_id', { simple: true })).toBe(0x5354574c);
    await log.append(changes?.name ?? '', 0, [record('more')]);
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
    other.close();
    await log.close();
  });

  it('refuses to open twice, also within one process, and opens again after closing', async () => {
    const log = await filled();
    expect(() => openSqliteLog({ file })).toThrow(
      expect.objectContaining({
        code: 'log-locked',
        message: expect.stringContaining(`process ${process.pid} on`),
      }),
    );
    await log.append(changes?.name ?? '', 0, [record('still mine')]);
    await log.close();
    await openSqliteLog({ file }).close();
  });

  it('refuses a file that is not a database, and leaves it is', () => {
    file = join(directory, 'notes.txt');
    writeFileSync(file, 'dear diary, '.repeat(1000));
    expect(() => openSqliteLog({ file })).toThrow(
      expect.objectContaining({ code: 'log-corrupt', message: expect.stringContaining(file) }),
    );
    expect(readFileSync(file, 'utf8')).toBe('dear diary, '.repeat(1000));
  });

  it('refuses the database of another application, and leaves it is', () => {
    file = join(directory, 'other.db');
    const other = openSqliteDatabase(file);
    other.exec('CREATE TABLE precious (a)');
    other.close();
    const before = readFileSync(file);
    expect(() => openSqliteLog({ file })).toThrow(expect.objectContaining({ code: 'log-corrupt' }));
    expect(readFileSync(file)).toEqual(before);
  });

  it('refuses a file from a newer version', async () => {
    await (await filled()).close();
    const db = openSqliteDatabase(file);
    db.pragma('user_version = 99');
    db.close();
    expect(() => openSqliteLog({ file })).toThrow(/newer version/);
  });

  it('says that a damaged file is damaged', async () => {
    await (await filled()).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096, bytes.length - 4096);
    writeFileSync(file, bytes);
    const reading = async (): Promise<unknown> => {
      const log = openSqliteLog({ file });
      try {
        return await log.read(changes?.name ?? '', 0, 0n, 1000);
      } finally {
        await log.close();
      }
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'log-corrupt',
      message: expect.stringContaining(file),
    });
  });

  it('says that a truncated file is damaged', async () => {
    await (await filled()).close();
    writeFileSync(file, readFileSync(file).subarray(0, 40_000));
    expect(() => openSqliteLog({ file })).toThrow(expect.objectContaining({ code: 'log-corrupt' }));
  });

  it('refuses appends when the file is full, whole batches at a time, and goes on when there is room again', async () => {
    const log = openSqliteLog({ file, maxFileBytes: 2_000_000 });
    await log.ensureTopics(TOPICS);
    const name = TOPICS.find(({ cleanup }) => cleanup === 'delete')?.name ?? '';
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        await log.append(
          name,
          0,
          Array.from({ length: 50 }, (_, n) => record(`${n}`, 'x'.repeat(1000))),
        );
        stored += 50;
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'log-full',
      message: expect.stringContaining(file),
    });
    expect(stored).toBeGreaterThan(500);
    expect((await log.watermarks(name, 0)).high).toBe(BigInt(stored));
    while (log.compact(Date.now()).more);
    const { first } = await log.append(name, 0, [record('fits again')]);
    expect(first).toBe(BigInt(stored));
    expect((await log.read(name, 0, 0n, 10)).records).toHaveLength(1);
    await log.close();
  });

  it('says which directory it cannot make', () => {
    writeFileSync(join(directory, 'deep'), '');
    expect(() => openSqliteLog({ file })).toThrow(
      expect.objectContaining({ code: 'log-unavailable', message: expect.stringContaining(file) }),
    );
  });

  it('keeps nothing of a key that is gone', async () => {
    const log = await filled();
    await log.append(
      changes?.name ?? '',
      0,
      Array.from({ length: 500 }, (_, n) => record(`${n}`, null)),
    );
    for (const at of [Date.now(), Date.now() + 30 * 86_400_000]) while (log.compact(at).more);
    const other = openSqliteDatabase(file, { readonly: true });
    expect(
      other
        .prepare('SELECT (SELECT count(*) FROM record) + (SELECT count(*) FROM survivor) AS count')
        .get(),
    ).toEqual({ count: 0 });
    other.close();
    await log.close();
  });

  it('compacts in bounded steps', async () => {
    const log = openSqliteLog({ file: ':memory:' });
    await log.ensureTopics(TOPICS);
    for (let n = 0; n < 10; n += 1)
      await log.append(
        changes?.name ?? '',
        n % 3,
        Array.from({ length: 500 }, (_, at) => record(`${at}`)),
      );
    const steps = [];
    do steps.push(log.compact(Date.now()));
    while (steps.at(-1)?.more);
    expect(Math.max(...steps.map(({ examined }) => examined))).toBeLessThanOrEqual(250);
    expect(steps.reduce((sum, { removed }) => sum + removed, 0)).toBe(7 * 500);
    expect(log.compact(Date.now())).toEqual({ examined: 0, removed: 0, more: false });
    await log.close();
  });
});
