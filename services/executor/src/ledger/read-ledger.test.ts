import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, DEAD_LETTER, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { action } from '../testing/actions';
import { NOW, PARTITION } from '../testing/findings';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from './ledger';
import { LedgerIdentity } from './ledger-identity';
import { ledgerOfLog, readLedger } from './read-ledger';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'read-ledger-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('is read beside the executor that writes it, and cannot be written', () => {
  const path = join(directory, 'executor.db');
  const file = openStateFile(path);
  const ledger = new Ledger(file);
  ledger.write([action('a')]);
  expect(readLedger(path, (it) => it.list())).toEqual([action('a')]);
  ledger.write([action('b')]);
  expect(readLedger(path, (it) => it.total())).toBe(2);
  expect(() => readLedger(path, (it) => (it as Ledger).write([action('c')]))).toThrow(
    expect.objectContaining({ code: 'state-corrupt' }),
  );
  file.close();
});

test('whose it is can be read beside the executor, also where its version did not know', () => {
  const path = join(directory, 'executor.db');
  const file = openStateFile(path);
  new Ledger(file);
  const owner = (): unknown => readLedger(path, (_, owners) => owners.get('berlin'));
  expect(owner()).toBeUndefined();
  const said = {
    identity: { northbound: 'nb:a', kubernetes: 'kube-a' },
    unnamed: false,
    adopted: null,
  };
  new LedgerIdentity(file).set('berlin', said);
  expect(owner()).toEqual(said);
  file.close();
});

test('no file, or none of an executor’s, is a failure that says so', () => {
  expect(() => readLedger(join(directory, 'none.db'), () => 0)).toThrow(
    expect.objectContaining({ code: 'input-not-found' }),
  );
  const text = join(directory, 'text.db');
  const other = join(directory, 'other.db');
  writeFileSync(text, 'no database at all, but long enough to be read'.repeat(100));
  openSqliteDatabase(other).exec('CREATE TABLE t (x)').close();
  for (const file of [text, other])
    expect(() => readLedger(file, () => 0)).toThrow(
      expect.objectContaining({ code: 'state-corrupt' }),
    );
});

test('of a log: every partition, as it stands, and nothing is written', async () => {
  const log = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  await log.ensureTopics(TOPICS);
  const a = action('a');
  const b = action('b', { cluster: 'athens' });
  for (const record of [a, { ...a, revision: 2, state: 'done' as const }, a, b])
    await log.append(ACTIONS, partitionOf(record.cluster, PARTITIONS), [
      { key: record.id, value: JSON.stringify(record), timestamp: NOW.getTime() },
    ]);
  await log.append(ACTIONS, 0, [{ key: 'k', value: 'no action', timestamp: NOW.getTime() }]);
  const read = await ledgerOfLog(log, new AbortController().signal, (ledger, unreadable) => [
    ledger.get(a.id)?.state,
    ledger.get(b.id),
    ledger.total(),
    unreadable,
  ]);
  expect(read).toEqual(['done', b, 2, 1]);
  expect([
    (await log.watermarks(ACTIONS, PARTITION)).high,
    (await log.watermarks(DEAD_LETTER, 0)).high,
  ]).toEqual([3n, 0n]);
  await log.close();
});
