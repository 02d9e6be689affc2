import { readFileSync } from 'node:fs';
import type { Server } from 'node:tls';
import { Failure } from '@ovn-steward/shared/errors';
import { whyUnreadable } from '@ovn-steward/shared/file-trouble';
import { renewed } from '@ovn-steward/shared/settings/renewed';

/** What HTTPS is served with, PEM. */
export interface ServedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A file that was renewed is used within that. */
const EVERY_MS = 60_000;

/**
 * Reads the certificate the settings name, each time it is called; undefined where they name none.
 * @throws Failure `config-invalid` where the files cannot be read now; later the last that could be
 *   stays.
 */
export function servedCertificate({
  certificate,
  privateKey,
}: {
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
}): (() => ServedCertificate) | undefined {
  if (certificate === undefined || privateKey === undefined) return undefined;
  return renewed(() => ({
    cert: textOf('http.tls.certificate', certificate),
    key: textOf('http.tls.privateKey', privateKey),
  }));
}

/** @throws Failure `config-invalid`. */
function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(
      'config-invalid',
      `${setting}: ${file} cannot be read: ${whyUnreadable(error)}.`,
      { cause: error },
    );
  }
}

/**
 * Has a server use the certificate as it is renewed, for as long as it listens. One that does not
 * fit its key is not taken.
 */
export function renewCertificate(
  server: Server,
  read: () => ServedCertificate,
  everyMs = EVERY_MS,
): void {
  let used = JSON.stringify(read());
  const timer = setInterval(() => {
    const next = read();
    if (JSON.stringify(next) === used) return;
    try {
      server.setSecureContext(next);
      used = JSON.stringify(next);
    } catch {
      // It is being replaced: the key is not there yet. The next turn sees both.
    }
  }, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}
