import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Failure, messageOf } from '../errors';
import { whyUnreadable } from '../file-trouble';
import { renewed } from './renewed';
import type { Settings } from './settings';
import type { KafkaLogOptions, KafkaSasl, KafkaTls } from '../log/kafka-options';
import { prefixed } from '../log/topic-prefix';

/** The file's text. Throws Failure `input-not-found`; what it says is in no message. */
function read(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `The file of ${setting}, ${file}, cannot be read: ${whyUnreadable(error)}.`,
      { cause: error },
    );
  }
}

/** Throws Failure `config-invalid` when `check` throws. */
function verify(what: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new Failure('config-invalid', `${what} (${messageOf(error)}). Give PEM files.`, {
      cause: error,
    });
  }
}

function tlsOf({ caCertificate, certificate, privateKey }: Settings['kafka']['tls']): KafkaTls {
  const ca = caCertificate && read('kafka.tls.caCertificate', caCertificate);
  if (ca)
    verify(
      `kafka.tls.caCertificate: ${caCertificate} is no certificate`,
      () => new X509Certificate(ca),
    );
  if (!certificate || !privateKey) return ca ? { ca } : {};
  const cert = read('kafka.tls.certificate', certificate);
  const key = read('kafka.tls.privateKey', privateKey);
  verify(`kafka.tls: ${certificate} and ${privateKey} are no certificate and its key`, () =>
    createSecureContext({ cert, key }),
  );
  return { ...(ca && { ca }), cert, key };
}

function saslOf({
  mechanism,
  username = '',
  password,
  passwordFile,
}: Settings['kafka']['sasl']): KafkaSasl | undefined {
  if (!mechanism) return undefined;
  const secret = passwordFile
    ? read('kafka.sasl.passwordFile', passwordFile).replace(/\r?\n$/, '')
    : (password ?? '');
  if (secret === '')
    throw new Failure(
      'config-invalid',
      `The file of kafka.sasl.passwordFile, ${passwordFile}, is empty. Put the password there.`,
    );
  return { mechanism, username, password: secret };
}

/**
 * How to open the log by the settings; reads the files they name. Throws Failure `config-invalid`
 * (no brokers, or no PEM) and `input-not-found`, naming setting and file.
 */
export function kafkaLogOptions({
  brokers,
  clientId,
  topicPrefix,
  replicationFactor,
  tls,
  sasl,
}: Settings['kafka']): KafkaLogOptions {
  if (brokers.length === 0)
    throw new Failure(
      'config-invalid',
      'No Kafka broker is known. Set kafka.brokers to host:port of one or more.',
    );
  const login = saslOf(sasl);
  return {
    brokers,
    clientId: prefixed(topicPrefix, clientId),
    topicPrefix,
    replicationFactor,
    ...(tls.enabled && { tls: renewed(() => tlsOf(tls)) }),
    ...(login && { sasl: login }),
  };
}
