import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { issueCertificate, makeAuthority } from '@ovn-steward/testbed/run/certificates';
import { oidcKeys } from './oidc-keys';
import { readOidcToken } from './oidc-token';

let server: Server;
let issuer: string;
let folder: string;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let published: object[] = [];
let named: string | undefined;
let reads = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-oidc-'));
  const authority = makeAuthority('issuer authority');
  writeFileSync(join(folder, 'ca.pem'), authority.certificate);
  const { key, certificate } = issueCertificate(authority, 'localhost');
  server = createServer({ key, cert: certificate }, ({ url }, response) => {
    if (url === '/keys') reads++;
    const answer =
      url === '/keys'
        ? { keys: published }
        : { issuer: named ?? issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  keys = await generateKeyPair('ES256');
  published = [{ ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'ES256' }];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

let time = 0;
const open = () => oidcKeys(issuer, join(folder, 'ca.pem'), () => time);
const OPTIONS = {
  audience: 'ovn-steward',
  userClaim: 'email',
  groupsClaim: 'groups',
  prefix: 'oidc:',
};
const read = (token: string, from = open(), options: object = {}) =>
  readOidcToken(token, from, { issuer, ...OPTIONS, ...options });
const CLAIMS = { email: 'anna@example.org', groups: ['net', 7, 'system:masters'] };
const token = (claims: object = {}, { kid = 'a', key = keys.privateKey } = {}): Promise<string> =>
  new SignJWT({
    iss: issuer,
    aud: 'ovn-steward',
    exp: Math.floor(Date.now() / 1000) + 60,
    ...CLAIMS,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(key);

test('a token the issuer signed says who holds it; no name in it is one of Kubernetes’ own', async () => {
  expect(await read(await token())).toEqual({
    user: 'oidc:anna@example.org',
    groups: ['oidc:net', 'oidc:system:masters'],
    method: 'oidc',
    issuer,
  });
});

test.each<[string, () => Promise<string> | string]>([
  ['expired', () => token({ exp: Math.floor(Date.now() / 1000) - 60 })],
  ['without an end', () => token({ exp: undefined })],
  ['not valid yet', () => token({ nbf: Math.floor(Date.now() / 1000) + 600 })],
  ['for another client', () => token({ aud: 'another' })],
  ['of another issuer', () => token({ iss: 'https://example.org' })],
  ['of a key the issuer does not have', async () => token({}, { kid: 'b' })],
  [
    'signed by another key under its name',
    async () => token({}, { key: (await generateKeyPair('ES256')).privateKey }),
  ],
  ['without a signature', () => new UnsecuredJWT(CLAIMS).setIssuer(issuer).encode()],
  [
    'signed by the public key as a secret',
    () =>
      new SignJWT({ iss: issuer, aud: 'ovn-steward', exp: 4e9, ...CLAIMS })
        .setProtectedHeader({ alg: 'HS256', kid: 'a' })
        .sign(Buffer.from(JSON.stringify(published[0]))),
  ],
  ['without a name', () => token({ email: undefined })],
  ['no token', () => 'x.y.z'],
])('refused: %s', async (_, made) => {
  await expect(read(await made())).rejects.toMatchObject({ code: 'access-unauthenticated' });
});

test('a new key of the issuer is found, and unknown ones do not have it asked all the time', async () => {
  const from = open();
  await read(await token(), from);
  const next = await generateKeyPair('ES256');
  published.push({ ...(await exportJWK(next.publicKey)), kid: 'next', alg: 'ES256' });
  const before = reads;
  const renewed = await token({}, { kid: 'next', key: next.privateKey });
  await expect(read(renewed, from)).rejects.toThrow();
  expect(reads).toBe(before);
  time += 31_000;
  expect((await read(renewed, from)).user).toBe('oidc:anna@example.org');
  for (let i = 0; i < 5; i++)
    await expect(read(await token({}, { kid: `x${i}` }), from)).rejects.toThrow();
  expect(reads).toBe(before + 1);
});

test('an issuer that cannot be read, or is another, lets nobody in, and is asked again', async () => {
  const from = open();
  named = 'https://example.org';
  await expect(read(await token(), from)).rejects.toMatchObject({ code: 'source-unreachable' });
  named = undefined;
  expect((await read(await token(), from)).user).toBe('oidc:anna@example.org');
  await expect(read(await token(), oidcKeys(issuer, undefined))).rejects.toMatchObject({
    code: 'source-unreachable',
  });
});
