import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import type { OvnServer } from '@ovn-steward/testbed/ovn';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { startSteward, steward } from './testing/cli';

interface Shown {
  readonly rows: readonly { readonly is: string; readonly table: string; readonly owner: string }[];
  readonly plan: { readonly inserts: readonly unknown[]; readonly leftOut: readonly unknown[] };
  readonly written: { readonly backup: string; readonly moved: readonly string[] } | null;
}

describeWith(ovn, 'steward on a living Northbound', () => {
  let server: OvnServer;
  let folder = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-backup-'));
    server = await startOvnStandalone({ database: recording('shared-neutron', 'nb.db') });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const backup = (...args: string[]) =>
    steward(['backup', '--ovn-nb', server.remote, '--cluster', 'berlin-1', ...args]);
  const restore = (file: string, ...args: string[]) =>
    steward(['restore', file, '--ovn-nb', server.remote, '--cluster', 'berlin-1', ...args]);
  const shown = async (
    file: string,
    ...args: string[]
  ): Promise<Shown & { readonly code: number | null }> => {
    const { code, stdout, stderr } = await restore(file, '--output', 'json', ...args);
    if (stdout === '') throw new Error(stderr);
    return { ...(JSON.parse(stdout) as Shown), code };
  };

  test('backs up, shows the difference, and restores what was deleted', async () => {
    expect(await backup('--dir', folder)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /nb-berlin-1-\S+Z\.db: 421 rows of \d+ tables.*read back and found equal\.\nsha256 [0-9a-f]{64}/,
      ),
    });
    const file = join(
      folder,
      readdirSync(folder).find((it) => it.endsWith('.db'))!,
    );
    expect(await restore(file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'The living database has every row as the backup has it, and no other.',
      ),
    });

    await server.nbctl(
      'ls-del',
      'neutron-4d697e2e-754f-4c47-b36e-3a049fc1b520',
      '--',
      'ls-add',
      'new',
      '--',
      'set',
      'Logical_Switch',
      'apps',
      'other_config:mtu=9000',
    );
    const observed = await restore(file);
    expect(observed).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/Logical_Switch +neutron +1 +0 +0\n/),
    });
    expect(observed.stdout).toMatch(/Logical_Switch_Port +neutron +\d+ +0 +0\n/);
    expect(observed.stdout).toMatch(
      /Among them are rows of Kube-OVN's\.[\s\S]*Nothing was written\. To write it, run the command again with --yes\./,
    );

    const done = await shown(file, '--owner', 'neutron', '--yes');
    expect(done).toMatchObject({
      code: 0,
      plan: { leftOut: [] },
      written: { moved: [], backup: expect.stringContaining(folder) },
    });
    const left = await shown(file);
    expect(left).toMatchObject({ code: 2, written: null });
    expect(left.rows.map((it) => [it.is, it.table])).toEqual([
      ['changed', 'Logical_Switch'],
      ['new', 'Logical_Switch'],
    ]);
    expect(await restore(file, '--yes', '--remove-new', '--table', 'Logical_Switch')).toMatchObject(
      {
        code: 0,
        stderr: expect.stringContaining('Taken before anything is written: '),
        stdout: expect.stringContaining('Restored, in one transaction.'),
      },
    );
    expect(await restore(file)).toMatchObject({ code: 0 });
  });

  test('keeps as many backups as asked for, and goes on until it is asked to stop', async () => {
    for (let nth = 0; nth < 3; nth++)
      expect(await backup('--dir', folder, '--keep', '2')).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toHaveLength(4);
    const child = startSteward([
      'backup',
      '--ovn-nb',
      server.remote,
      '--dir',
      join(folder, 'more'),
      '--every',
      '1s',
      '--keep',
      '2',
      '--output',
      'json',
    ]);
    let lines = 0;
    await new Promise<void>((resolve) =>
      child.stdout!.on('data', (text: Buffer) =>
        (lines += text.toString().split('\n').length - 1) >= 3 ? resolve() : undefined,
      ),
    );
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(readdirSync(join(folder, 'more'))).toHaveLength(4);
  });

  test('says what is wrong, in a sentence, and writes nothing', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'no database');
    const wrong: [Promise<{ code: number | null; stderr: string; stdout: string }>, RegExp][] = [
      [backup(), /No destination for the backup: give --dir/],
      [
        backup('--dir', join(file, 'below')),
        /No backup was taken: .*file\/below cannot be used as a folder/,
      ],
      [
        steward(['backup', '--ovn-nb', 'tcp:127.0.0.1:1', '--dir', folder, '--timeout', '2']),
        /127\.0\.0\.1:1/,
      ],
      [
        steward(['backup', '--ovn-nb', file, '--dir', folder]),
        /is not where a Northbound server listens/,
      ],
      [restore(file), /not.*OVSDB|no OVSDB/i],
      [restore(join(folder, 'nothing')), /does not exist|cannot be/],
    ];
    for (const [run, says] of wrong)
      expect(await run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
