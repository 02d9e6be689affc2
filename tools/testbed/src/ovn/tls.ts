import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, makeAuthority } from '../run/certificates';

/** Files (PEM) a TLS client of the server needs. */
export interface TlsFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * Writes the server's own and its clients' keys and certificates into the folder; gives the
 * clients' and the server's arguments.
 */
export function writeTlsFiles(folder: string): {
  readonly files: TlsFiles;
  readonly args: readonly string[];
} {
  const authority = makeAuthority('testbed authority');
  const server = issueCertificate(authority, 'ovsdb-server');
  const client = issueCertificate(authority, 'client');
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const ca = write('ca.crt', authority.certificate);
  return {
    files: {
      ca,
      certificate: write('client.crt', client.certificate),
      key: write('client.key', client.key),
    },
    args: [
      `--private-key=${write('server.key', server.key)}`,
      `--certificate=${write('server.crt', server.certificate)}`,
      `--ca-cert=${ca}`,
    ],
  };
}
