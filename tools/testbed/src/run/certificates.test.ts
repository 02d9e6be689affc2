import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueCertificate, makeAuthority } from './certificates';

const authority = makeAuthority('an authority');

test('the authority vouches for what it issues, and only that', () => {
  const issued = new X509Certificate(issueCertificate(authority, 'a server').certificate);
  const root = new X509Certificate(authority.certificate);
  const other = new X509Certificate(makeAuthority('an authority').certificate);
  expect(issued.subject).toBe('CN=a server');
  expect(issued.issuer).toBe('CN=an authority');
  expect([root.ca, issued.ca]).toEqual([true, false]);
  expect(issued.verify(root.publicKey)).toBe(true);
  expect(issued.verify(other.publicKey)).toBe(false);
  expect(issued.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(issued.checkHost('localhost')).toBe('localhost');
});

test('it is valid now, and for a day', () => {
  const { validFrom, validTo } = new X509Certificate(
    issueCertificate(authority, 'a server').certificate,
  );
  expect(Date.parse(validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(23 * 3_600_000);
});

test('a TLS client that trusts the authority accepts the server, and one that does not refuses it', async () => {
  const { key, certificate } = issueCertificate(authority, 'a server');
  const server = createServer({ key, cert: certificate }, (_, response) =>
    response.end('hello'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (ca: string): Promise<number | string | undefined> =>
    new Promise((resolve) => {
      request({ host: '127.0.0.1', port, ca, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .end();
    });
  expect(await get(authority.certificate)).toBe(200);
  expect(await get(makeAuthority('another').certificate)).toMatch(
    /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/,
  );
  server.close();
});
