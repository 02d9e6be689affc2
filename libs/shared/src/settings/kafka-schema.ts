import { z } from 'zod';
import { LEGAL_PREFIX, OUR_PREFIX, prefixRefusal } from '../log/topic-prefix';

/** `host:port`; IPv6 addresses in brackets. */
const BROKER = /^(?:\[[0-9a-fA-F:.]+\]|[^\s,:[\]]+):\d{1,5}$/;

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;
const NO_PORT = 'no such port: ports are 1 to 65535';

/** How to reach Apache Kafka; the services need it, the command line only where it says so. */
export const Kafka = z
  .strictObject({
    /** `host:port` of some brokers; the others are learned from them. */
    brokers: z
      .array(
        z
          .string()
          .regex(BROKER, { error: 'not a broker: write host:port', abort: true })
          .refine((it) => isPort(Number(it.slice(it.lastIndexOf(':') + 1))), NO_PORT),
      )
      .default([]),
    /** Shown in the brokers' logs and quotas. */
    clientId: z.string().min(1).default('ovn-steward'),
    /** Keeps clusters on one Kafka apart: no service reads or writes topics of another prefix. */
    topicPrefix: z
      .string()
      .meta({ pattern: LEGAL_PREFIX.source })
      .default(OUR_PREFIX)
      .superRefine((prefix, context) => {
        const refusal = prefixRefusal(prefix);
        if (refusal !== undefined) context.addIssue({ code: 'custom', message: refusal });
      }),
    /**
     * Replicas of each topic that is created at the start; existing topics keep theirs. With one
     * broker: 1.
     */
    replicationFactor: z.number().int().min(1).max(32767).default(3),
    tls: z
      .strictObject({
        enabled: z.boolean().default(false),
        /**
         * PEM files. Without `caCertificate` the system's authorities are trusted. `certificate` and
         * `privateKey` go together.
         */
        caCertificate: z.string().min(1).optional(),
        certificate: z.string().min(1).optional(),
        privateKey: z.string().min(1).optional(),
      })
      .prefault({}),
    sasl: z
      .strictObject({
        mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
        username: z.string().min(1).optional(),
        password: z.string().min(1).meta({ secret: true }).optional(),
        /** Holds the password, read at every start: as secrets are mounted. */
        passwordFile: z.string().min(1).optional(),
        /** PLAIN sends the password as it is: an eavesdropper on the connection has it. */
        plaintext: z.boolean().default(false),
      })
      .prefault({}),
  })
  .superRefine(({ tls, sasl }, context) => {
    const wrong = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    if (tls.privateKey && !tls.certificate)
      wrong(['tls', 'certificate'], 'needed beside privateKey');
    if (tls.certificate && !tls.privateKey)
      wrong(['tls', 'privateKey'], 'needed beside certificate');
    if (!tls.enabled && (tls.caCertificate || tls.certificate))
      wrong(
        ['tls', 'enabled'],
        'false, but certificates are named: set it to true, or remove them',
      );
    if (sasl.mechanism && !sasl.username) wrong(['sasl', 'username'], 'needed beside mechanism');
    if (sasl.mechanism && !sasl.password === !sasl.passwordFile)
      wrong(
        ['sasl', 'password'],
        'exactly one of password and passwordFile is needed beside mechanism',
      );
    if (sasl.mechanism === 'plain' && !tls.enabled && !sasl.plaintext)
      wrong(
        ['sasl', 'mechanism'],
        'plain sends the password in clear text, and kafka.tls.enabled is false: set that to true, use scram-sha-512, or set kafka.sasl.plaintext to true where no one else can read the connection',
      );
    if (!sasl.mechanism && (sasl.username || sasl.password || sasl.passwordFile))
      wrong(['sasl', 'mechanism'], 'needed beside username and password');
  });
