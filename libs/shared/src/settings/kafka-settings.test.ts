import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { Settings } from './settings';
import { kafkaLogOptions } from './kafka-settings';

const CERTIFICATE = rootCertificates[0] ?? '';

describe('kafkaLogOptions', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kafka-settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const options = (kafka: object) =>
    kafkaLogOptions(
      Settings.parse({ kafka: { brokers: ['a:9092', '[::1]:9093'], ...kafka } }).kafka,
    );
  const failing = (kafka: object, code: string, ...mentions: string[]): void =>
    expect(() => options(kafka)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(mentions.join('.*')) }),
    );

  it('gives brokers and copies as they are set, without security by default', () => {
    expect(options({ clientId: 'me', replicationFactor: 2 })).toEqual({
      brokers: ['a:9092', '[::1]:9093'],
      clientId: 'me',
      topicPrefix: 'steward.',
      replicationFactor: 2,
    });
  });

  it('names the client by the prefix of its topics, where that is not ours', () => {
    expect(options({ topicPrefix: 'east.' })).toMatchObject({
      clientId: 'east.ovn-steward',
      topicPrefix: 'east.',
    });
    expect(() => options({ topicPrefix: 'east' })).toThrow(/not a prefix of topics: .*ending in/);
  });

  it('reads the certificates, and trusts the usual authorities where none is named', () => {
    expect(options({ tls: { enabled: true } }).tls?.()).toEqual({});
    expect(
      options({ tls: { enabled: true, caCertificate: file('ca.pem', CERTIFICATE) } }).tls?.(),
    ).toEqual({ ca: CERTIFICATE });
  });

  it('uses a certificate that was renewed from the next connection on, and the last one while there is none', () => {
    const caCertificate = file('renewed.pem', CERTIFICATE);
    const { tls } = options({ tls: { enabled: true, caCertificate } });
    file('renewed.pem', 'half writ');
    expect(tls?.()).toEqual({ ca: CERTIFICATE });
    const renewed = rootCertificates[1]!;
    file('renewed.pem', renewed);
    expect(tls?.()).toEqual({ ca: renewed });
  });

  it('takes the password from the settings, or from a file without the end of its line', () => {
    expect(
      options({ sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p ' } }).sasl,
    ).toEqual({
      mechanism: 'scram-sha-512',
      username: 'u',
      password: 'p ',
    });
    expect(
      options({
        sasl: {
          mechanism: 'scram-sha-256',
          username: 'u',
          passwordFile: file('password', ' p\r\n'),
        },
      }).sasl,
    ).toEqual({ mechanism: 'scram-sha-256', username: 'u', password: ' p' });
  });

  it.each(['a:0', 'a:65536', 'a:99999'])('refuses the broker %s, whose port does not exist', (it) =>
    expect(() => Settings.parse({ kafka: { brokers: [it] } })).toThrow(/no such port/),
  );

  it('names the setting and the file that are wrong, and never what is in it', () => {
    const junk = file('junk', 'hidden');
    expect(() => kafkaLogOptions(Settings.parse({}).kafka)).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        message: expect.stringContaining('kafka.brokers'),
      }),
    );
    failing(
      { tls: { enabled: true, caCertificate: '/not/there' } },
      'input-not-found',
      'kafka.tls.caCertificate',
      '/not/there',
    );
    failing(
      { tls: { enabled: true, caCertificate: junk } },
      'config-invalid',
      'kafka.tls.caCertificate',
      junk,
    );
    failing(
      { tls: { enabled: true, certificate: file('cert.pem', CERTIFICATE), privateKey: junk } },
      'config-invalid',
      'cert.pem',
      junk,
    );
    failing(
      { sasl: { mechanism: 'scram-sha-256', username: 'u', passwordFile: '/not/there' } },
      'input-not-found',
      'kafka.sasl.passwordFile',
      '/not/there',
    );
    failing(
      { sasl: { mechanism: 'scram-sha-256', username: 'u', passwordFile: file('empty', '\n') } },
      'config-invalid',
      'kafka.sasl.passwordFile',
      'empty',
    );
    for (const kafka of [
      { tls: { enabled: true, caCertificate: junk } },
      { tls: { enabled: true, certificate: file('cert.pem', CERTIFICATE), privateKey: junk } },
    ])
      expect(() => options(kafka)).not.toThrow(/hidden/);
  });
});
