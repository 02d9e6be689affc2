import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { issueCertificate, makeAuthority } from '@ovn-steward/testbed/run/certificates';
import { renewCertificate, servedCertificate } from './served-certificate';

const TURN_MS = 10;
const AUTHORITY = makeAuthority('people trust it');
const FIRST = issueCertificate(AUTHORITY, 'localhost');
const SECOND = issueCertificate(AUTHORITY, 'localhost');

let folder: string;
let files: { certificate: string; privateKey: string };
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-served-'));
  files = { certificate: join(folder, 'tls.crt'), privateKey: join(folder, 'tls.key') };
  writeFileSync(files.certificate, FIRST.certificate);
  writeFileSync(files.privateKey, FIRST.key);
});
afterEach(async () => {
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

async function serving(): Promise<number> {
  const read = servedCertificate(files)!;
  server = createServer(read());
  renewCertificate(server, read, TURN_MS);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The certificate a new connection is shown, PEM without line ends. */
const shownAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      { port, host: '127.0.0.1', ca: AUTHORITY.certificate, servername: 'localhost' },
      () => {
        resolve(socket.getPeerCertificate().raw.toString('base64'));
        socket.destroy();
      },
    ).on('error', reject);
  });
const bare = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

test('a renewed certificate is shown to new connections without a restart', async () => {
  const port = await serving();
  expect(await shownAt(port)).toBe(bare(FIRST.certificate));
  writeFileSync(files.privateKey, SECOND.key);
  writeFileSync(files.certificate, SECOND.certificate);
  while ((await shownAt(port)) !== bare(SECOND.certificate)) await sleep(TURN_MS);
});

test('one whose key is not there yet is not taken, and the one before stays; then it is', async () => {
  const port = await serving();
  writeFileSync(files.certificate, SECOND.certificate);
  for (let turn = 0; turn < 10; turn += 1) {
    await sleep(TURN_MS);
    expect(await shownAt(port)).toBe(bare(FIRST.certificate));
  }
  writeFileSync(files.privateKey, SECOND.key);
  while ((await shownAt(port)) !== bare(SECOND.certificate)) await sleep(TURN_MS);
});

test('files that are gone leave the one before', async () => {
  const port = await serving();
  rmSync(files.certificate);
  await sleep(5 * TURN_MS);
  expect(await shownAt(port)).toBe(bare(FIRST.certificate));
});

test('files that cannot be read at the start are refused by name; none are none', () => {
  rmSync(files.privateKey);
  expect(() => servedCertificate(files)).toThrow(
    /^http\.tls\.privateKey: .*tls\.key cannot be read: it does not exist; check the path\.$/,
  );
  expect(servedCertificate({})).toBeUndefined();
});
