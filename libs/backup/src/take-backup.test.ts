import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { promises } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operation as op, readDatabaseFile, writeStandaloneFile } from '@ovn-steward/ovsdb';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { takeSnapshot } from './snapshot';
import { readBackup } from './read-backup';
import { firstDifference } from './same-content';
import { takeBackup } from './take-backup';

const signal = new AbortController().signal;
const at = new Date('2026-05-04T03:02:01.234Z');
const NAME = 'nb-berlin-1-20260504T030201.234Z.db';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
});
afterEach(() => rm(folder, { recursive: true }));

const snapshot = async () => takeSnapshot(await recordedNorthbound('shared-neutron'), signal);

test.each(['is full', 'takes it'])(
  'facts that lie there already stay as they are where the disk %s',
  async (disk) => {
    const file = join(folder, 'nb.db');
    await writeFile(`${file}.json`, 'of another');
    const taking = takeBackup({
      snapshot: await snapshot(),
      cluster: 'berlin-1',
      at,
      to: { file },
      written: async () => {
        if (disk === 'is full') throw new Error('no space left');
      },
    });
    await expect(taking).rejects.toMatchObject({ code: 'backup-invalid' });
    expect(await readFile(`${file}.json`, 'utf8')).toBe('of another');
    expect(await readdir(folder)).toEqual(['nb.db.json']);
  },
);

describe('a backup', () => {
  it('is a file that holds every table, row and column of the snapshot, with what is known of it beside it', async () => {
    const taken = await snapshot();
    const { path, facts } = await takeBackup({
      snapshot: taken,
      cluster: 'berlin-1',
      at,
      to: { folder: join(folder, 'made', 'for it') },
    });
    expect(path).toBe(join(folder, 'made', 'for it', NAME));
    const read = await readDatabaseFile(path);
    expect(firstDifference(taken.replica, read.replica)).toBeUndefined();
    expect(read).toMatchObject({
      asOf: at,
      comment: expect.stringContaining(
        `cluster berlin-1, database ${taken.identity}, taken at ${at.toISOString()}`,
      ),
    });
    expect(JSON.parse(await readFile(`${path}.json`, 'utf8'))).toEqual(facts);
    expect(facts).toMatchObject({
      version: 1,
      cluster: 'berlin-1',
      identity: taken.identity,
      schema: { name: 'OVN_Northbound', version: taken.schema.version },
      takenAt: at.toISOString(),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(facts.rows['Logical_Switch_Port']).toBe(taken.replica.size('Logical_Switch_Port'));
    expect((await readdir(join(folder, 'made', 'for it'))).sort()).toEqual([NAME, `${NAME}.json`]);
  });

  it('is its owner’s alone, whatever the process lets others have by default', async () => {
    const umask = process.umask(0);
    const to = { folder: join(folder, 'made') };
    const { path } = await takeBackup({ snapshot: await snapshot(), cluster: 'c', at, to }).finally(
      () => process.umask(umask),
    );
    const rights = async (it: string) => ((await stat(it)).mode & 0o777).toString(8);
    expect(await Promise.all([to.folder, path, `${path}.json`].map(rights))).toEqual([
      '700',
      '600',
      '600',
    ]);
  });

  it.each([
    ['with backups alone becomes its owner’s alone', 'nb-c-20260101T000000.000Z.db.json', '700'],
    ['with files of others is left', 'notes.txt', '755'],
  ])('a wider folder %s', async (_, name, mode) => {
    await chmod(folder, 0o755);
    await writeFile(join(folder, name), '');
    await takeBackup({ snapshot: await snapshot(), cluster: 'c', at, to: { folder } });
    expect(((await stat(folder)).mode & 0o777).toString(8)).toBe(mode);
  });

  it('is written where it is asked for, and replaces nothing', async () => {
    const file = join(folder, 'mine.db');
    await takeBackup({ snapshot: await snapshot(), cluster: 'c', at, to: { file } });
    const before = await readFile(file);
    await expect(
      takeBackup({ snapshot: await snapshot(), cluster: 'c', at, to: { file } }),
    ).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringContaining('exists already'),
    });
    expect(await readFile(file)).toEqual(before);
    expect((await readdir(folder)).sort()).toEqual(['mine.db', 'mine.db.json']);
  });

  it.each([
    [
      'was damaged on its way',
      (path: string) =>
        appendFile(path, 'OVSDB JSON 3 0000000000000000000000000000000000000000\n{}\n'),
    ],
    [
      'lacks a row',
      async (path: string) =>
        rewrite(path, (northbound) =>
          northbound.database.transact([op.remove('Port_Group', [['name', '!=', '']])]),
        ),
    ],
    [
      'has another value',
      async (path: string) =>
        rewrite(path, (northbound) =>
          northbound.database.transact([
            op.update('Logical_Switch', [['name', '!=', '']], {
              other_config: op.map([['mtu', '9000']]),
            }),
          ]),
        ),
    ],
    [
      'has a row more',
      async (path: string) =>
        rewrite(path, (northbound) =>
          northbound.database.transact([op.insert('Address_Set', { name: 'more' })]),
        ),
    ],
  ])('that %s is renamed and no backup', async (_, damage) => {
    await expect(
      takeBackup({
        snapshot: await snapshot(),
        cluster: 'berlin-1',
        at,
        to: { folder },
        written: damage,
      }),
    ).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringContaining(`${NAME}.bad`),
    });
    expect(await readdir(folder)).toEqual([`${NAME}.bad`]);
  });

  it('that cannot be written leaves nothing behind', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(
      takeBackup({
        snapshot: await snapshot(),
        cluster: 'c',
        at,
        to: { folder: join(folder, 'file') },
      }),
    ).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringMatching(/^No backup was taken: .*file cannot be used as a folder: /),
    });
    await expect(
      takeBackup({
        snapshot: await snapshot(),
        cluster: 'c',
        at,
        to: { file: join(folder, 'nowhere', 'x.db') },
      }),
    ).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringMatching(/nowhere.*permissions and the free space\.$/),
    });
    await mkdir(join(folder, 'x.db.json'));
    await expect(
      takeBackup({
        snapshot: await snapshot(),
        cluster: 'c',
        at,
        to: { file: join(folder, 'x.db') },
      }),
    ).rejects.toMatchObject({ code: 'backup-invalid' });
    expect((await readdir(folder)).sort()).toEqual(['file', 'x.db.json']);
  });

  it('in a folder that cannot be flushed is there all the same, and it is said so', async () => {
    const real = promises.open;
    const spy = jest
      .spyOn(promises, 'open')
      .mockImplementation((path, flags, mode) =>
        path === folder ? Promise.reject(new Error('EIO')) : real(path, flags, mode),
      );
    const taking = takeBackup({
      snapshot: await snapshot(),
      cluster: 'berlin-1',
      at,
      to: { folder },
    });
    await expect(taking.finally(() => spy.mockRestore())).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringMatching(/was written and verified, but its folder .*EIO/),
    });
    expect((await readdir(folder)).sort()).toEqual([NAME, `${NAME}.json`]);
  });

  it('that was exchanged since is not read', async () => {
    const { path } = await takeBackup({
      snapshot: await snapshot(),
      cluster: 'c',
      at,
      to: { folder },
    });
    await expect(readBackup(path, signal)).resolves.toMatchObject({ takenAt: at });
    const other = await recordedNorthbound('clean');
    await writeStandaloneFile(
      path,
      other.database.schema.json,
      (await takeSnapshot(other, signal)).replica,
    );
    await expect(readBackup(path, signal)).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringContaining('sha256'),
    });
    await rm(`${path}.json`);
    await expect(readBackup(path, signal)).resolves.toMatchObject({ facts: undefined });
    await writeFile(`${path}.json`, '{"version":2}');
    await expect(readBackup(path, signal)).rejects.toMatchObject({
      code: 'backup-invalid',
      message: expect.stringContaining('not what this program writes'),
    });
  });
});

/** Writes the recording again, edited: as if it had been read another way. */
async function rewrite(
  path: string,
  edit: (northbound: Awaited<ReturnType<typeof recordedNorthbound>>) => { readonly ok: boolean },
): Promise<void> {
  const northbound = await recordedNorthbound('shared-neutron');
  expect(edit(northbound)).toMatchObject({ ok: true });
  await writeStandaloneFile(
    path,
    northbound.database.schema.json,
    (await takeSnapshot(northbound, signal)).replica,
  );
}
