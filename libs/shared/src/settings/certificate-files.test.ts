import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { certificateEnds } from './certificate-files';
import { sectionOf, settingsOf } from './config-schema';
import { Settings } from './settings';

const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const endOf = (pem: string): number => Date.parse(new X509Certificate(pem).validTo) / 1000;
const [early, late] = [...rootCertificates]
  .sort((a, b) => endOf(a) - endOf(b))
  .filter((_, index, all) => index === 0 || index === all.length - 1) as [string, string];
const chain = file('chain.pem', `subject=leaf\n${early}\n${late}\n`);

test('of our certificate the first counts, of authorities the one that lasts longest', () => {
  const ovnNb = {
    remote: 'ssl:10.0.0.1:6641',
    privateKey: file('key.pem', 'not read here'),
    certificate: chain,
    caCertificate: chain,
  };
  const tls = { enabled: true, caCertificate: file('ca.pem', early) };
  expect([...certificateEnds(Settings.parse({ ovnNb, kafka: { brokers: ['a:1'], tls } }))]).toEqual(
    [
      ['ovnNb.certificate', endOf(early)],
      ['ovnNb.caCertificate', endOf(late)],
      ['kafka.tls.caCertificate', endOf(early)],
    ],
  );
  expect(endOf(early)).toBeLessThan(endOf(late));
});

test('what cannot be read has no end that anybody knows', () => {
  const ends = (caCertificate: string): number =>
    certificateEnds(Settings.parse({ ovnNb: { remote: 'ssl:[::1]:6641', caCertificate } })).size;
  expect(ends(join(folder, 'absent.pem'))).toBe(0);
  expect(
    ends(file('junk.pem', '-----BEGIN CERTIFICATE-----\njunk\n-----END CERTIFICATE-----')),
  ).toBe(0);
  expect(ends(file('empty.pem', ''))).toBe(0);
});

test('every setting that names a certificate is among them', () => {
  const named = settingsOf(sectionOf(Settings))
    .map(({ path }) => path)
    .filter((it) => /certificate$/i.test(it));
  const value = (path: string): object =>
    path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), chain) as object;
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) {
    const http = { tls: {}, auth: { oidc: {} } };
    const given = value(path) as { readonly http?: object };
    const settings = {
      ovnNb: {},
      ovnSb: {},
      kafka: { tls: {} },
      ...given,
      http: { ...http, ...given.http },
    };
    expect([...certificateEnds(settings as never).keys()]).toEqual([path]);
  }
});
