import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../errors';
import { whyUnreadable } from '../file-trouble';
import { type TrustedKey, trustedKeyOf } from './trusted-key';

/** The trusted keys, by key id. */
export type TrustedKeys = ReadonlyMap<string, TrustedKey>;

/**
 * Reads the folder of trusted keys: every file whose name ends in `.json` and does not begin with a
 * dot (as a ConfigMap of Kubernetes has links that do). Two files may not trust one key, and none
 * may be unreadable: half of a folder is not trusted.
 * @param setting which names the folder.
 * @throws Failure `config-invalid`, which names the file.
 */
export function readTrustedKeys(folder: string, setting = 'signing.trustedKeys'): TrustedKeys {
  const refuse = (why: string): Failure =>
    new Failure('config-invalid', `${setting}: ${folder} ${why}`);
  let names: string[];
  try {
    names = readdirSync(folder).filter((it) => it.endsWith('.json') && !it.startsWith('.'));
  } catch (error) {
    throw refuse(`cannot be read: ${whyUnreadable(error)}`);
  }
  const keys = new Map<string, TrustedKey>();
  for (const name of names.sort()) {
    let text: string;
    try {
      text = readFileSync(join(folder, name), 'utf8');
    } catch (error) {
      throw refuse(`holds ${name}, which cannot be read: ${whyUnreadable(error)}`);
    }
    const key = trustedKeyOf(text);
    if ('wrong' in key) throw refuse(`holds ${name}, which is no trusted key: ${key.wrong}`);
    const { keyId } = key.signer;
    if (keys.has(keyId))
      throw refuse(`holds ${name}, whose key ${keyId} another file trusts already: remove one`);
    keys.set(keyId, key);
  }
  return keys;
}
