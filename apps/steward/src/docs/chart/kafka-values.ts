import { z } from 'zod';
import { issuer } from './issuer';
import { Flag, Name, section, Text, chartValue } from './value-kit';

const client = (description: string) =>
  section(
    {
      username: chartValue(
        Text,
        '',
        'The name to log in with, for `scram-sha-512`, `scram-sha-256` and `plain`. Empty: that of the KafkaUser where Strimzi makes one.',
      ),
      secretName: chartValue(
        Name,
        '',
        'The Secret with its password (`passwordKey`), or its certificate and key. Empty: that of the KafkaUser, or of the Certificate.',
      ),
    },
    description,
  );

/** The value `kafka`. */
export const KafkaValues = section(
  {
    tls: section(
      {
        enabled: chartValue(Flag, false, 'Whether to speak TLS to the brokers.'),
        caSecret: section(
          {
            name: chartValue(
              Name,
              '',
              'The Secret. Empty: the authorities the image trusts or, with Strimzi, `<cluster>-cluster-ca-cert`.',
            ),
            key: chartValue(Text, 'ca.crt', 'The key in it.'),
          },
          'The authority that signed the brokers’ certificates.',
        ),
        issuer,
      },
      'TLS to the brokers.',
    ),
    authentication: chartValue(
      z.enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'tls']),
      'none',
      'How the services log in to the brokers; `tls` is by a certificate.',
    ),
    passwordKey: chartValue(Text, 'password', 'The key of the password in the Secrets.'),
    certificateKeys: section(
      {
        certificate: chartValue(Text, 'user.crt', 'Of the certificate.'),
        privateKey: chartValue(Text, 'user.key', 'Of the key.'),
      },
      'The keys in the Secrets for `tls`: those of Strimzi. With an issuer: `tls.crt`, `tls.key`.',
    ),
    clients: section(
      {
        collector: client('The collector.'),
        analyzer: client('The analyzer.'),
        executor: client('The executor.'),
        notifier: client('The notifier.'),
      },
      'Who logs in: each service as a principal of its own.',
    ),
    strimzi: section(
      {
        enabled: chartValue(
          Flag,
          false,
          'Whether Strimzi runs the brokers: `settings.kafka.brokers` is then found by the cluster’s name.',
        ),
        cluster: chartValue(Name, '', 'The name of its Kafka object.'),
        namespace: chartValue(
          Name,
          '',
          'The namespace of that object. Empty: that of the release. KafkaTopics and KafkaUsers are made there.',
        ),
        apiVersion: chartValue(
          z.enum(['kafka.strimzi.io/v1', 'kafka.strimzi.io/v1beta2']),
          'kafka.strimzi.io/v1',
          '`v1beta2` for Strimzi before 0.49.',
        ),
        topics: chartValue(Flag, true, 'Whether to make the KafkaTopics.'),
        users: chartValue(
          Flag,
          true,
          'Whether to make a KafkaUser for each service, with just the rights of docs/kafka.md.',
        ),
        people: chartValue(
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
