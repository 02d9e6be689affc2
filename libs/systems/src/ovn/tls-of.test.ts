import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tlsOf } from './tls-of';

const folder = mkdtempSync(join(tmpdir(), 'tls-of-'));
afterAll(() => rmSync(folder, { recursive: true }));
const caCertificate = join(folder, 'ca.pem');
writeFileSync(caCertificate, 'authority');
const REMOTE = 'ssl:10.0.0.1:6641';

test.each([
  ['nothing is said of it', {}, {}],
  ['it is asked for', { verifyName: true }, {}],
  ['another is expected', { serverName: 'ovn' }, { serverName: 'ovn' }],
  ['any will do', { verifyName: false }, { anyName: true }],
])('the name in the certificate when %s', (_, settings, more) =>
  expect(tlsOf(REMOTE, { caCertificate, ...settings })?.()).toEqual({
    ca: Buffer.from('authority'),
    ...more,
  }),
);

test('only ssl needs certificates, and it needs the authority', () => {
  expect(tlsOf('tcp:10.0.0.1:6641', {})).toBeUndefined();
  expect(() => tlsOf(REMOTE, {})).toThrow(/caCertificate/);
  expect(() => tlsOf(REMOTE, { caCertificate: join(folder, 'absent.pem') })).toThrow(
    expect.objectContaining({ code: 'input-not-found' }),
  );
});

test('a renewed file is read for the next connection; while it is gone, the last one stays', () => {
  const path = join(folder, 'renewed.pem');
  writeFileSync(path, 'old');
  const tls = tlsOf(REMOTE, { caCertificate: path });
  rmSync(path);
  expect(tls?.()).toEqual({ ca: Buffer.from('old') });
  writeFileSync(path, 'new');
  expect(tls?.()).toEqual({ ca: Buffer.from('new') });
});
