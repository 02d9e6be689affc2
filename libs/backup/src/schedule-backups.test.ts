import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@ovn-steward/shared/errors';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { backupName, takenAtOf } from './backup-name';
import { backupsIn, removeOldBackups } from './retention';
import { type BackupSchedule, scheduleBackups } from './schedule-backups';

const HOUR = 3_600_000;
const START = new Date('2026-05-04T00:00:00Z').getTime();

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Runs a schedule on a clock of its own, which moves only while it sleeps, until that clock has
 * come so far.
 */
async function run(
  northbound: Northbound,
  {
    hours,
    keep = 3,
    from = START,
    during,
    written,
  }: {
    hours: number;
    keep?: number;
    from?: number;
    during?: (now: number) => void;
    written?: (path: string) => Promise<void>;
  },
): Promise<{
  taken: number[];
  failures: string[];
  messages: string[];
  removed: number;
  newest: number[];
}> {
  const stop = new AbortController();
  const result = {
    taken: [] as number[],
    failures: [] as string[],
    messages: [] as string[],
    removed: 0,
    newest: [] as number[],
  };
  let now = from;
  const schedule: BackupSchedule = {
    northbound,
    cluster: 'c',
    folder,
    everyMs: HOUR,
    keep,
    signal: stop.signal,
    ...(written && { written }),
    clock: () => new Date(now),
    sleep: async (ms) => {
      now += ms;
      during?.(now);
      if (now > from + hours * HOUR) stop.abort();
    },
    onBackup: (_, removed) => {
      result.taken.push((now - START) / HOUR);
      result.removed += removed.length;
    },
    onNewest: (takenAt) => result.newest.push((takenAt.getTime() - START) / HOUR),
    onFailure: ({ code, message }) => {
      result.failures.push(code);
      result.messages.push(message);
    },
  };
  await scheduleBackups(schedule);
  return result;
}

describe('scheduled backups', () => {
  it('are taken at once, then each time after the interval, and only as many stay as are to be kept', async () => {
    expect(await run(await recordedNorthbound('clean'), { hours: 5 })).toEqual({
      taken: [0, 1, 2, 3, 4, 5],
      failures: [],
      messages: [],
      removed: 3,
      newest: expect.anything(),
    });
    expect(
      (await backupsIn(folder, 'c')).map((it) => (it.takenAt.getTime() - START) / HOUR),
    ).toEqual([5, 4, 3]);
    expect(await readdir(folder)).toHaveLength(6);
  });

  it('go on after a restart as if there had been none', async () => {
    const northbound = await recordedNorthbound('clean');
    await run(northbound, { hours: 1 });
    const { taken, newest } = await run(northbound, { hours: 2, from: START + 1.5 * HOUR });
    expect(taken).toEqual([2, 3]);
    // The one of before is reported at the start, and each that is taken at once.
    expect([...new Set(newest)]).toEqual([1, 2, 3]);
    expect((await run(northbound, { hours: 1, from: START - 10 * HOUR, keep: 10 })).taken).toEqual([
      -10, -9,
    ]);
  });

  it('are tried again after a failure, remove nothing meanwhile, and never end', async () => {
    const northbound = await recordedNorthbound('clean');
    await run(northbound, { hours: 2 });
    let away = true;
    const flaky: Northbound = {
      ...northbound,
      read: (...requested) =>
        away
          ? Promise.reject(new Failure('source-unreachable', 'away'))
          : northbound.read(...requested),
    };
    const { taken, failures, removed } = await run(flaky, {
      hours: 2,
      from: START + 3 * HOUR,
      keep: 1,
      during: (now) => void (away = now < START + 3.5 * HOUR),
    });
    expect(failures).toEqual(Array.from({ length: 30 }, () => 'source-unreachable'));
    expect(taken).toEqual([3.5, 4.5]);
    expect(removed).toBe(4);
  });

  it('leave the newest file that was not what was read, and none of another cluster is removed', async () => {
    const others = [`${backupName('other', new Date(START))}.bad`, 'x.bad'];
    for (const name of others) await writeFile(join(folder, name), 'x');
    const { taken, failures } = await run(await recordedNorthbound('clean'), {
      hours: 0.1,
      written: (path) => writeFile(path, 'damaged'),
    });
    expect([taken, failures.length]).toEqual([[], 7]);
    expect((await readdir(folder)).sort()).toEqual(
      [...others, `${backupName('c', new Date(START + 0.1 * HOUR))}.bad`].sort(),
    );
  });

  it('count as taken where an older one cannot be removed, which is reported as that', async () => {
    const northbound = await recordedNorthbound('clean');
    await run(northbound, { hours: 0 });
    const [first] = await backupsIn(folder, 'c');
    const facts = JSON.parse(await readFile(`${first!.path}.json`, 'utf8')) as object;
    // A folder is what nobody removes as a file, whatever rights the tests have.
    const stuck = join(folder, backupName('c', new Date(START - HOUR)));
    await mkdir(stuck);
    const { size: bytes } = await stat(stuck);
    await writeFile(`${stuck}.json`, JSON.stringify({ ...facts, bytes }));
    const { taken, messages } = await run(northbound, { hours: 0, from: START + HOUR, keep: 1 });
    expect(taken).toEqual([1]);
    expect(messages).toEqual([
      expect.stringContaining('was taken and verified, but not all older backups could be removed'),
    ]);
  });

  it('say so when the folder is none', async () => {
    folder = join(folder, 'file');
    await writeFile(folder, '');
    expect(await run(await recordedNorthbound('clean'), { hours: 0.05 })).toMatchObject({
      taken: [],
      failures: expect.arrayContaining(['backup-invalid']),
    });
    folder = join(folder, '..');
  });
});

describe('what is removed', () => {
  it('is only what this program named, verified, of that cluster; never the newest', async () => {
    const northbound = await recordedNorthbound('clean');
    await run(northbound, { hours: 3, keep: 10 });
    const [newest, second] = await backupsIn(folder, 'c');
    const others = [
      'notes.txt',
      backupName('other', new Date(START)),
      backupName('c', new Date(START + 1)),
      `${backupName('c', new Date(START + 2))}.bad`,
    ];
    for (const name of others) await writeFile(join(folder, name), 'x');
    expect(
      await removeOldBackups(folder, 'c', { keep: 1, newest: join(folder, 'elsewhere.db') }),
    ).toEqual([]);
    await rm(`${second!.path}.json`);
    expect(await removeOldBackups(folder, 'c', { keep: 0, newest: newest!.path })).toHaveLength(2);
    expect((await readdir(folder)).map((it) => join(folder, it)).sort()).toEqual(
      [
        newest!.path,
        `${newest!.path}.json`,
        second!.path,
        ...others.map((it) => join(folder, it)),
      ].sort(),
    );
  });
});

describe('a backup’s name', () => {
  it('reports when it was taken, of the cluster it was taken of', () => {
    const at = new Date('2026-05-04T03:02:01.234Z');
    expect(backupName('a-b.c', at)).toBe('nb-a-b.c-20260504T030201.234Z.db');
    expect(takenAtOf(backupName('a-b.c', at), 'a-b.c')).toEqual(at);
    expect(takenAtOf(backupName('a-b.c', at), 'a-b')).toBeUndefined();
    for (const name of [
      'nb-c-20261350T030201.234Z.db',
      'nb-c-20260504T030201Z.db',
      'nb-c-20260504T030201.234Z.db.bad',
      'nb-c-.db',
    ])
      expect(takenAtOf(name, 'c')).toBeUndefined();
  });
});
