import { ascendingBy } from '@ovn-steward/shared/compare';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTIFIER_FILE, openNotifier } from '@ovn-steward/notifier';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { sha256Of } from '@ovn-steward/shared/sha256-of';
import { recording } from '@ovn-steward/testbed/recordings';
import { startSteward, steward } from '../testing/cli';
import { readManifest } from './export-manifest';
import { exportState } from './export-state';
import { importState } from './import-state';
import { formatsIn, STATE_FORMATS } from './state-formats';

const LEAKY = ['--ovn-nb', recording('leaky', 'nb.db'), '--kubernetes', recording('leaky', '.')];
const run = (state: string) =>
  steward(['run', ...LEAKY, '--state-dir', state, '--until-quiet', '2', '--output', 'ndjson']);
const findings = async (state: string): Promise<readonly unknown[]> => {
  const { stdout } = await steward(['findings', '--state-dir', state, '--output', 'json']);
  const all = JSON.parse(stdout) as unknown[];
  expect(all.length).toBeGreaterThan(40);
  return all;
};

/** Without ages: what is only suspected begins again where its checkpoint was lost. */
const judged = (all: readonly unknown[]): readonly unknown[] =>
  (all as readonly Record<string, unknown>[])
    .map(({ id, rule, subject, proof, owner }) => ({ id, rule, subject, proof, owner }))
    .sort(ascendingBy((it) => String(it.id)));

let folder: string;
let state: string;
let exported: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-export-'));
  state = join(folder, 'state');
  exported = join(folder, 'exported');
  expect((await run(state)).code).toBe(2);
  const held = await steward(['hold', '--reason', 'kept', '--state-dir', state]);
  expect(held.stderr + held.stdout).toContain('hold');
  const outcome = await steward(['export', '--state-dir', state, '--out', exported]);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

let copies = 0;
/** Another copy of the export, to be spoilt. */
function copyOfExport(): string {
  const copy = join(folder, `copy-${(copies += 1)}`);
  cpSync(exported, copy, { recursive: true });
  return copy;
}

describe('a state that is exported and imported', () => {
  test('has the findings and decisions it had, and a run on it goes on where the other stood', async () => {
    const imported = join(folder, 'deep', 'imported');
    const outcome = await steward(['import', exported, '--state-dir', imported]);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).not.toContain('built again');
    expect(await findings(imported)).toEqual(await findings(state));
    const holds = await steward(['holds', '--state-dir', imported]);
    expect(holds.stdout).toContain('kept');
    const goneOn = await run(imported);
    expect(goneOn).toMatchObject({ code: 2, stdout: '' });
    expect(statSync(imported).mode & 0o077).toBe(0);
  });

  test('can be exported while a run has it', async () => {
    const copy = join(folder, 'running');
    cpSync(state, copy, { recursive: true });
    const running = startSteward(['run', ...LEAKY, '--state-dir', copy, '--listen', '127.0.0.1:0']);
    try {
      await new Promise<void>((resolve, reject) => {
        running.on('exit', () => reject(new Error('it ended')));
        running.stderr!.on('data', (text: Buffer) => {
          if (text.toString().includes('Listening on')) resolve();
        });
      });
      const beside = join(folder, 'beside');
      const outcome = await steward(['export', '--state-dir', copy, '--out', beside]);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      const imported = join(folder, 'from-running');
      await steward(['import', beside, '--state-dir', imported]);
      expect(await findings(imported)).toEqual(await findings(state));
      expect(running.exitCode).toBe(null);
    } finally {
      running.kill('SIGTERM');
    }
  });

  test('has every format of the table, and no other', async () => {
    const found = readdirSync(state)
      .filter((it) => it.endsWith('.db'))
      .flatMap((file) => {
        const db = openSqliteDatabase(join(state, file), { readonly: true });
        const formats = formatsIn(db);
        db.close();
        return Object.entries(formats).map(([part, version]) => `${file} ${part} ${version}`);
      });
    const known = STATE_FORMATS.map((it) => `${it.file} ${it.part} ${it.version}`);
    // A run of a recording acts on nothing and notifies nobody: e2e/upgrade.int.test.ts has those
    // files.
    expect(known).toEqual(expect.arrayContaining(found));
    expect(found).toEqual(
      expect.arrayContaining(
        known.filter((it) => !it.startsWith('executor') && !it.startsWith('notifier')),
      ),
    );
  });
});

test('every format of a notifier that sends actions, too, is in the table', async () => {
  const stateDir = join(folder, 'notifies');
  mkdirSync(stateDir);
  const url = 'http://127.0.0.1:9';
  const sinks = { s: { type: 'webhook', url, about: ['findings', 'actions'] } };
  const settings = Settings.parse({ stateDir, notify: { sinks } });
  const log = openSqliteLog({ file: ':memory:' });
  const onEvent = (): void => undefined;
  openNotifier({ settings, log, clock: () => new Date(), onEvent }).close();
  await log.close();
  const db = openSqliteDatabase(join(stateDir, NOTIFIER_FILE), { readonly: true });
  const known = STATE_FORMATS.filter((it) => it.file === NOTIFIER_FILE);
  expect(formatsIn(db)).toEqual(
    Object.fromEntries(known.map(({ part, version }) => [part, version])),
  );
  db.close();
});

describe('an import is refused, and writes nothing,', () => {
  const refused = async (from: string, pattern: RegExp): Promise<void> => {
    const to = join(folder, `refused-${(copies += 1)}`);
    await expect(importState(from, to)).rejects.toThrow(pattern);
    expect(existsSync(to)).toBe(false);
  };

  test('of a folder that no export was written into to its end', async () => {
    const copy = copyOfExport();
    unlinkSync(join(copy, 'export.json'));
    await refused(copy, /export\.json cannot be read .*: name a folder that steward export/);
  });

  test.each([
    ['a byte changed', (path: string) => flip(path)],
    ['a byte added', (path: string) => appendFileSync(path, 'x')],
    ['gone', (path: string) => unlinkSync(path)],
  ])('of a file with %s', async (_, spoil) => {
    const copy = copyOfExport();
    spoil(join(copy, 'log.db'));
    await refused(copy, /log\.db .*: copy or export it again/);
  });

  test('of a damaged database whose digest is right', async () => {
    const copy = copyOfExport();
    const path = join(copy, 'analyzer.db');
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096, 3 * 4096);
    writeFileSync(path, bytes);
    await rewrite(copy, 'analyzer.db', {});
    await refused(copy, /analyzer\.db .*: copy or export it again/);
  });

  test('of a folder in a later format', async () => {
    const copy = copyOfExport();
    writeFileSync(
      join(copy, 'export.json'),
      JSON.stringify({ ...readManifest(copy), format: 2, later: true }),
    );
    await refused(copy, /exported by a later version \(format 2, this one knows 1\)/);
  });

  test('of a log in a later format', async () => {
    const copy = copyOfExport();
    inFile(join(copy, 'log.db'), 'PRAGMA user_version = 2');
    await rewrite(copy, 'log.db', { file: 2 });
    await refused(copy, /log\.db has format 2, and this version knows 1/);
  });

  test('into a directory with state', async () => {
    const before = readdirSync(state).sort();
    await expect(importState(exported, state)).rejects.toThrow(/state directory .* is not empty/);
    expect(readdirSync(state).sort()).toEqual(before);
  });
});

test('a checkpoint in another format is named, and built again by the next run', async () => {
  const copy = copyOfExport();
  inFile(join(copy, 'analyzer.db'), 'PRAGMA user_version = 99');
  await rewrite(copy, 'analyzer.db', { file: 99 });
  const imported = join(folder, 'rebuilt');
  mkdirSync(join(imported, 'lost+found'), { recursive: true });
  const outcome = await steward(['import', copy, '--state-dir', imported]);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('built again from the log at the start: analyzer.db (file)');
  await run(imported);
  expect(judged(await findings(imported))).toEqual(judged(await findings(state)));
});

test('an export goes into an empty folder alone, and comes from a state directory', async () => {
  const more = { version: '0.0.0', now: new Date() };
  await expect(exportState({ stateDir: state, folder: exported, ...more })).rejects.toThrow(
    /is not empty/,
  );
  await expect(
    exportState({ stateDir: folder, folder: join(folder, 'none'), ...more }),
  ).rejects.toThrow(/holds no state of steward run/);
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
}

function inFile(path: string, sql: string): void {
  const db = openSqliteDatabase(path);
  db.exec(sql);
  db.close();
}

/** Writes the digest of a changed file into the manifest, with these formats. */
async function rewrite(copy: string, name: string, formats: Record<string, number>): Promise<void> {
  const manifest = readManifest(copy);
  const digest = await sha256Of(join(copy, name));
  const files = manifest.files.map((file) =>
    file.name === name ? { ...file, ...digest, formats: { ...file.formats, ...formats } } : file,
  );
  writeFileSync(join(copy, 'export.json'), JSON.stringify({ ...manifest, files }));
}
