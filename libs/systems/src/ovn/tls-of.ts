import { readFileSync } from 'node:fs';
import type { TlsMaterial } from '@ovn-steward/ovsdb';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { renewed } from '@ovn-steward/shared/settings/renewed';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/**
 * The certificates of an ssl: remote, by the files the settings name; read again for each
 * connection, so that renewed ones need no restart.
 * @throws Failure `config-invalid`, `input-not-found`; not later, when it is called.
 */
export function tlsOf(
  remotes: string,
  { privateKey, certificate, caCertificate, serverName, verifyName }: Settings['ovnNb'],
): (() => TlsMaterial) | undefined {
  if (!remotes.includes('ssl:')) return undefined;
  if (caCertificate === undefined)
    throw new Failure(
      'config-invalid',
      `${remotes} needs the certificate of the authority that signed the server's: --ovn-ca, or the setting caCertificate beside its remote`,
    );
  const pem = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Failure(
        'input-not-found',
        `${path} cannot be read (${messageOf(error)}); it was named for ${remotes}`,
        { cause: error },
      );
    }
  };
  return renewed(() => {
    const material: TlsMaterial = {
      ca: pem(caCertificate),
      ...(certificate === undefined ? {} : { cert: pem(certificate) }),
      ...(privateKey === undefined ? {} : { key: pem(privateKey) }),
      ...(serverName === undefined ? {} : { serverName }),
      ...(verifyName === false ? { anyName: true } : {}),
    };
    return material;
  });
}
