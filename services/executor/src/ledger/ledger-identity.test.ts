import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { action } from '../testing/actions';
import { CLUSTER } from '../testing/findings';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from './ledger';
import { LedgerIdentity, type LedgerOwner } from './ledger-identity';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'identity-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const A = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B = { northbound: 'nb:b', kubernetes: 'kube-b' };

test('is each cluster’s, the last that was said, over a restart and another version of the ledger', () => {
  const path = join(directory, 'executor.db');
  const owner: LedgerOwner = { identity: B, unnamed: true, adopted: 'adopt-1' };
  let file = openStateFile(path);
  const owners = new LedgerIdentity(file);
  expect(owners.get('c')).toBeUndefined();
  owners.set('c', { identity: A, unnamed: false, adopted: null });
  owners.set('c', owner);
  new Ledger(file);
  file.db.exec("UPDATE part SET version = 99 WHERE name = 'ledger'");
  file.close();
  file = openStateFile(path);
  new Ledger(file);
  expect([new LedgerIdentity(file).get('c'), new LedgerIdentity(file).get('d')]).toEqual([
    owner,
    undefined,
  ]);
  file.close();
});

test('whose the newest claim is that says it', () => {
  const file = openStateFile(':memory:');
  const ledger = new Ledger(file);
  expect(ledger.newestIdentity(CLUSTER)).toBeUndefined();
  const at = (minutes: number): string => new Date(Date.UTC(2026, 2, 2, 10, minutes)).toISOString();
  ledger.write([
    action('a', { identity: A, claimedAt: at(1) }),
    action('b', { identity: B, claimedAt: at(2), state: 'done' }),
    action('c', { claimedAt: at(3) }),
    action('d', { identity: A, state: 'observed', at: at(4) }),
  ]);
  expect(ledger.newestIdentity(CLUSTER)).toEqual(B);
  expect(ledger.newestIdentity('athens')).toBeUndefined();
  file.close();
});

test('what a person did not say of it is not said, and of a cluster before it nothing', () => {
  const file = openStateFile(':memory:');
  const owners = new LedgerIdentity(file);
  const owner: LedgerOwner = { identity: A, unnamed: false, adopted: 'adopt-1' };
  owners.set('c', owner);
  expect([owners.get('c'), owners.get('b')]).toEqual([owner, undefined]);
  file.close();
});

test('a file of a version that did not know, opened to be read, says nothing', () => {
  const path = join(directory, 'executor.db');
  const file = openStateFile(path);
  new Ledger(file);
  file.close();
  const db = openSqliteDatabase(path, { readonly: true });
  const owners = new LedgerIdentity({ path, db });
  expect(owners.get('c')).toBeUndefined();
  db.close();
});

test('what was never claimed says nothing of whose the ledger is', () => {
  const file = openStateFile(':memory:');
  const ledger = new Ledger(file);
  ledger.write([action('a', { identity: A, state: 'observed', undo: null })]);
  expect(ledger.newestIdentity(CLUSTER)).toBeUndefined();
  file.close();
});
