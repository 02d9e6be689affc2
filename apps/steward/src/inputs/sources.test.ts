import { Settings } from '@ovn-steward/shared/settings/settings';
import { recording } from '@ovn-steward/testbed/recordings';
import { inputsFrom } from './sources';

const RECORDED = {
  ovnNb: recording('leaky', 'nb.db'),
  kubernetes: recording('leaky', 'kubernetes.json'),
};
const SETTINGS = Settings.parse({ cluster: 'c' });

test('a context is refused beside a recording, which is of one cluster', () => {
  expect(inputsFrom(RECORDED, SETTINGS).live).toBe(false);
  expect(() => inputsFrom({ ...RECORDED, context: 'prod' }, SETTINGS)).toThrow(
    /^--context prod chooses from a kubeconfig, and \S+kubernetes\.json is a recording: leave out/,
  );
});

test('a context of the settings is for live clusters, and a recording is read without it', () => {
  const settings = Settings.parse({ cluster: 'c', kubernetes: { context: 'prod' } });
  expect(inputsFrom(RECORDED, settings).live).toBe(false);
});

test.each([
  [{ ovnCa: 'ca.pem' }, '--ovn-ca ca.pem'],
  [{ ovnCert: 'cert.pem', ovnKey: 'key.pem' }, '--ovn-cert cert.pem, --ovn-key key.pem'],
])('what is for a server is refused beside a database file: %j', (given, said) => {
  const ovnSb = recording('leaky', 'nb.db');
  expect(() => inputsFrom({ ...RECORDED, ...given, ovnSb }, SETTINGS)).toThrow(
    `${said}: this is for a database server, and ${RECORDED.ovnNb} is a file. Leave it out, or give --ovn-nb or --ovn-sb a server.`,
  );
});

test('a certificate beside a file is for the other database, where that is a server', () => {
  const given = { ...RECORDED, ovnSb: 'tcp:127.0.0.1:6642', ovnCa: 'ca.pem' };
  expect(inputsFrom(given, SETTINGS).live).toBe(true);
});

test('certificates of the settings are for servers, and a file is read without them', () => {
  const ovnNb = { caCertificate: 'ca.pem' };
  expect(inputsFrom(RECORDED, Settings.parse({ cluster: 'c', ovnNb })).live).toBe(false);
});
