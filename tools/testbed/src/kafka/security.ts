import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, makeAuthority } from '../run/certificates';

export type SaslMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

const MECHANISMS: readonly SaslMechanism[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** Somebody who may log in to the SASL listener. */
export interface KafkaUser {
  readonly name: string;
  readonly password: string;
  /** How; in every way by default. */
  readonly mechanisms?: readonly SaslMechanism[];
}

/** PEM texts a TLS client needs; the key and certificate only where it has to show who it is. */
export interface KafkaPem {
  readonly ca: string;
  /** A client's: `User:CN=client` to Kafka. */
  readonly cert: string;
  readonly key: string;
}

export interface WrittenSecurity {
  readonly pem: KafkaPem;
  readonly properties: Readonly<Record<string, string>>;
  /** Options of the storage tool that put the SCRAM users into the new cluster. */
  readonly format: readonly string[];
}

/**
 * Writes keys and certificates into the folder. Who comes over the listener without security is
 * anonymous and may do everything, as may the client that shows our certificate; users by SASL may
 * do what access control lists allow them.
 */
export function writeSecurity(folder: string, users: readonly KafkaUser[]): WrittenSecurity {
  for (const { name, password } of users) {
    if (!/^[\w.-]+$/.test(name) || !/^[\w.-]+$/.test(password))
      throw new Error(
        `test users' names and passwords are letters, digits, "_", "." and "-" only: ${name}`,
      );
  }
  const authority = makeAuthority('testbed authority');
  const server = issueCertificate(authority, 'kafka');
  const client = issueCertificate(authority, 'client');
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const usersOf = (mechanism: SaslMechanism): readonly KafkaUser[] =>
    users.filter(({ mechanisms = MECHANISMS }) => mechanisms.includes(mechanism));
  const passwords = usersOf('PLAIN').map(({ name, password }) => ` user_${name}="${password}"`);
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  return {
    pem: { ca: authority.certificate, cert: client.certificate, key: client.key },
    properties: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': write('server.pem', server.key + server.certificate),
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': write('ca.pem', authority.certificate),
      'listener.name.mutual.ssl.client.auth': 'required',
      'listener.name.sasl.sasl.enabled.mechanisms': MECHANISMS.join(','),
      'listener.name.sasl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required${passwords.join('')};`,
      'listener.name.sasl.scram-sha-256.sasl.jaas.config': scram,
      'listener.name.sasl.scram-sha-512.sasl.jaas.config': scram,
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS;User:CN=client',
    },
    format: (['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const).flatMap((mechanism) =>
      usersOf(mechanism).flatMap(({ name, password }) => [
        '--add-scram',
        `${mechanism}=[name=${name},password=${password}]`,
      ]),
    ),
  };
}
