import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followTrustedKeys } from './follow-trusted-keys';
import { keyHolder } from './testing/keys';

test('keys that come and go count without a restart; while the folder is broken the former go on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
  const anna = keyHolder();
  const bob = keyHolder({ role: 'approver', name: 'bob' });
  const put = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  let clock = 0;
  const troubles: string[] = [];
  put('anna.json', JSON.stringify(anna.file));
  const keys = followTrustedKeys(
    folder,
    (it) => troubles.push(it),
    () => clock,
  );
  const known = (): string[] => [...keys().values()].map((it) => it.signer.name).sort();
  try {
    put('bob.json', JSON.stringify(bob.file));
    expect(known()).toEqual(['anna']);
    clock += 10_000;
    expect(known()).toEqual(['anna', 'bob']);
    put('bob.json', '{');
    rmSync(join(folder, 'anna.json'));
    for (const _ of [1, 2]) {
      clock += 10_000;
      expect(known()).toEqual(['anna', 'bob']);
    }
    expect(troubles).toEqual([expect.stringContaining('bob.json')]);
    rmSync(join(folder, 'bob.json'));
    clock += 10_000;
    expect(known()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder that cannot be read at the start is an error', () => {
  expect(() => followTrustedKeys('/nowhere', () => undefined)).toThrow('cannot be read');
});

test('a trouble that comes back is reported again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
  let clock = 0;
  const troubles: string[] = [];
  const keys = followTrustedKeys(
    folder,
    (it) => troubles.push(it),
    () => clock,
  );
  const next = (broken: boolean): void => {
    if (broken) writeFileSync(join(folder, 'bob.json'), '{');
    else rmSync(join(folder, 'bob.json'));
    clock += 10_000;
    keys();
  };
  try {
    [true, false, true].forEach(next);
    expect(troubles).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the folder is not read again before ten seconds are over since it was read last', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
  const anna = keyHolder();
  let clock = 0;
  const keys = followTrustedKeys(
    folder,
    () => undefined,
    () => clock,
  );
  try {
    clock = 10_000;
    expect(keys().size).toBe(0);
    writeFileSync(join(folder, 'anna.json'), JSON.stringify(anna.file));
    clock = 19_999;
    expect(keys().size).toBe(0);
    clock = 20_000;
    expect(keys().size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
