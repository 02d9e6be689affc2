import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from '@ovn-steward/shared/signing/generate-key';

/**
 * The files of keys that services and people of a test sign with, and the folder that trusts them.
 */
export interface Keys {
  /** `signing.keyFile` of the executors. */
  readonly executor: string;
  /** `signing.keyFile` of a person who decides. */
  readonly approver: string;
  /** `signing.trustedKeys` of everybody. */
  readonly trusted: string;
}

/**
 * Writes them below a folder, as `steward keys generate` does.
 * @param name of the person, which stands as `approvedBy`.
 */
export function makeKeys(folder: string, name: string): Keys {
  const trusted = join(folder, 'trusted');
  mkdirSync(trusted, { recursive: true });
  const keyOf = (role: 'executor' | 'approver', whose: string): string => {
    const made = generateKey({ role, name: whose });
    writeFileSync(join(trusted, `${role}.json`), JSON.stringify(made.trusted));
    const file = join(folder, `${role}.key.pem`);
    writeFileSync(file, made.privateKey, { mode: 0o600 });
    return file;
  };
  return { executor: keyOf('executor', 'executors'), approver: keyOf('approver', name), trusted };
}
