import { z } from 'zod';
import { issuer } from './issuer';
import { Flag, Name, section, Text, value } from './value-kit';

const client = (says: string) =>
  section(
    {
      username: value(
        Text,
        '',
        'The name to log in with, for `scram-sha-512`, `scram-sha-256` and `plain`. Empty: that of the KafkaUser where Strimzi makes one.',
      ),
      secretName: value(
        Name,
        '',
        'The Secret with its password (`passwordKey`), or its certificate and key. Empty: that of the KafkaUser, or of the Certificate.',
      ),
    },
    says,
  );

/** The value `kafka`. */
export const Kafka = section(
  {
    tls: section(
      {
        enabled: value(Flag, false, 'Whether to speak TLS to the brokers.'),
        caSecret: section(
          {
            name: value(
              Name,
              '',
              'The Secret. Empty: the authorities the image trusts or, with Strimzi, `<cluster>-cluster-ca-cert`.',
            ),
            key: value(Text, 'ca.crt', 'The key in it.'),
          },
          'The authority that signed the brokers’ certificates.',
        ),
        issuer,
      },
      'TLS to the brokers.',
    ),
    authentication: value(
      z.enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'tls']),
      'none',
      'How the services log in to the brokers; `tls` is by a certificate.',
    ),
    passwordKey: value(Text, 'password', 'The key of the password in the Secrets.'),
    certificateKeys: section(
      {
        certificate: value(Text, 'user.crt', 'Of the certificate.'),
        privateKey: value(Text, 'user.key', 'Of the key.'),
      },
      'The keys in the Secrets for `tls`: those of Strimzi. With an issuer: `tls.crt`, `tls.key`.',
    ),
    clients: section(
      {
        collector: client('The collector.'),
        analyzer: client('The analyzer.'),
        executor: client('The executor.'),
      },
      'Who logs in: each service as a principal of its own.',
    ),
    strimzi: section(
      {
        enabled: value(
          Flag,
          false,
          'Whether Strimzi runs the brokers: `settings.kafka.brokers` is then found by the cluster’s name.',
        ),
        cluster: value(Name, '', 'The name of its Kafka object.'),
        namespace: value(
          Name,
          '',
          'The namespace of that object. Empty: that of the release. KafkaTopics and KafkaUsers are made there.',
        ),
        apiVersion: value(
          z.enum(['kafka.strimzi.io/v1', 'kafka.strimzi.io/v1beta2']),
          'kafka.strimzi.io/v1',
          '`v1beta2` for Strimzi before 0.49.',
        ),
        topics: value(Flag, true, 'Whether to make the five KafkaTopics.'),
        users: value(
          Flag,
          true,
          'Whether to make a KafkaUser for each service, with just the rights of docs/kafka.md.',
        ),
        people: value(
          z.array(z.enum(['approver', 'operator', 'subscriber'])),
          [],
          'For whom else to make one, with the rights of that table.',
        ),
      },
      'Objects of the Strimzi operator.',
    ),
  },
  'Apache Kafka, in mode `kafka`. The brokers are `settings.kafka.brokers`.',
);
