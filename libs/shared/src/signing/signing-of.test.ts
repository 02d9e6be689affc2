import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedLogOptions } from './signed-log';
import { requireApproverKey, requireExecutorKeys, signingOf } from './signing-of';
import { type KeyHolder, keyHolder } from './testing/keys';

const folder = mkdtempSync(join(tmpdir(), 'steward-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const executor = keyHolder({ role: 'executor', name: 'executor' });
const anna = keyHolder();

/** Settings of somebody who has one key and trusts those people. */
const settingsOf = (has?: KeyHolder, trusts?: readonly KeyHolder[], required = true) => {
  const trusted = mkdtempSync(join(folder, 'trusted-'));
  for (const it of trusts ?? [])
    writeFileSync(join(trusted, `${it.key.id}.json`), JSON.stringify(it.file));
  const keyFile = join(trusted, 'key.pem');
  if (has) writeFileSync(keyFile, has.pem);
  return {
    signing: {
      required,
      ...(has && { keyFile }),
      ...(trusts && { trustedKeys: trusted }),
    },
  };
};
const signing = (settings: ReturnType<typeof settingsOf>): SignedLogOptions =>
  signingOf(settings.signing, () => undefined);
const starts = (settings: ReturnType<typeof settingsOf>): void =>
  requireExecutorKeys(settings, signing(settings));

test('an executor with its key, which it trusts, starts', () => {
  expect(() => starts(settingsOf(executor, [executor, anna]))).not.toThrow();
});

test.each<[string, Parameters<typeof settingsOf>, RegExp]>([
  [
    'no keys at all',
    [],
    /signing.keyFile and signing.trustedKeys are not set.*steward keys generate/,
  ],
  ['none to sign with', [undefined, [executor]], /signing.keyFile is not set/],
  ['nobody to trust', [executor], /signing.trustedKeys is not set/],
  ['a key that it does not trust', [executor, [anna]], /does not hold the key/],
  ['the key of a person', [anna, [anna]], /as approver/],
])('an executor with %s refuses to act', (_, how, says) => {
  expect(() => starts(settingsOf(...how))).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(says) }),
  );
});

test('where nothing must be signed an executor starts without keys, but not with keys that do not fit', () => {
  expect(() => starts(settingsOf(undefined, undefined, false))).not.toThrow();
  expect(() => starts(settingsOf(executor, [anna], false))).toThrow('does not hold the key');
});

test('who decides needs a key where decisions must be signed', () => {
  expect(() => requireApproverKey(signing(settingsOf()))).toThrow('steward keys generate');
  expect(() => requireApproverKey(signing(settingsOf(anna)))).not.toThrow();
  expect(() => requireApproverKey(signing(settingsOf(undefined, undefined, false)))).not.toThrow();
});
