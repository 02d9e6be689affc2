import { settingsFrom } from './settings';

const refusal = (options: Parameters<typeof settingsFrom>[0]): string => {
  try {
    settingsFrom(options);
  } catch (error) {
    return String(error);
  }
  return 'accepted';
};

test.each([
  [{ cluster: 'a b' }, /cluster: letters.* \(flag --cluster\)/],
  [{ stateDir: '' }, /stateDir: it must not be empty \(flag --state-dir\)/],
  [{ listen: 'nope' }, /http\.listen: not an address.* \(flag --listen\)/],
  [{ kafkaBrokers: 'x' }, /: not a broker: write host:port \(flag --kafka-brokers\)$/],
  [{ ovnNb: 'tcp:nowhere' }, /ovnNb\.remote: not an OVSDB remote.* \(flag --ovn-nb\)/],
  [
    { ovnCert: 'c.pem' },
    /ovnNb\.privateKey: needed beside certificate \(not given; it is --ovn-key,/,
  ],
])('%j is refused by the name of its flag', (options, says) =>
  expect(refusal(options)).toMatch(says),
);

test('what is missing is said by the flag and by the variable that give it', () =>
  expect(refusal({ ovnNb: 'ssl:10.0.0.1:6641' })).toContain(
    'needed for an ssl remote: the file of the authority that signed the server (not given; it is --ovn-ca, or STEWARD_OVN_NB__CA_CERTIFICATE)',
  ));
