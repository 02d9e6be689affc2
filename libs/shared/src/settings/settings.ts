import { z } from 'zod';
import { Duration } from './duration';
import { Mode } from '../mode';
import { Freeze } from './freeze';
import { LEGAL_PREFIX, OUR_PREFIX, prefixRefusal } from '../log/topic-prefix';
import { Pattern } from '../pattern';
import { Http } from './http-settings';
import { Notify } from './notify-settings';
import { TimeWindow } from './time-window';
import { UNINSTALLED } from './uninstalled';

const REMOTE = /^(?:(?:tcp|ssl):(?:\[[0-9a-fA-F:.]+\]|[^\s,:[\]]+):\d{1,5}|unix:[^\s,]+)$/;

const ONE_REMOTE = REMOTE.source.slice(1, -1);

/** An OVSDB server, or the members of a cluster separated by commas: `ssl:10.0.0.1:6641,ssl:10.0.0.2:6641` (ovsdb(7)). */
const Remote = z
  .string()
  .meta({ pattern: `^${ONE_REMOTE}(?:,${ONE_REMOTE})*$` })
  .refine(
    (text) => text.split(',').every((it) => REMOTE.test(it)),
    'not an OVSDB remote: write tcp:host:port, ssl:host:port or unix:path, members separated by commas',
  );

/** One OVN database. The three files are PEM; `caCertificate` is needed for ssl remotes, the other two come together. */
const OvnDatabase = z
  .strictObject({
    remote: Remote.optional(),
    privateKey: z.string().min(1).optional(),
    certificate: z.string().min(1).optional(),
    caCertificate: z.string().min(1).optional(),
    /** What the server's certificate names, where that is not the host of the remote. */
    serverName: z.string().min(1).optional(),
    /** Whether it must name it at all; true by default. */
    verifyName: z.boolean().optional(),
  })
  .superRefine(
    ({ remote, privateKey, certificate, caCertificate, serverName, verifyName }, context) => {
      const wrong = (path: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (remote?.split(',').some((it) => it.startsWith('ssl:')) && !caCertificate)
        wrong(
          'caCertificate',
          'needed for an ssl remote: the file of the authority that signed the server',
        );
      if (privateKey && !certificate) wrong('certificate', 'needed beside privateKey');
      if (certificate && !privateKey) wrong('privateKey', 'needed beside certificate');
      if (serverName && verifyName === false)
        wrong('serverName', 'verifyName is false, so no name is checked: set one of the two');
    },
  );

/** What is never touched: everything that matches all of what an entry names. */
const Protected = z
  .strictObject({
    /** The OVN table or the Kubernetes kind. */
    table: Pattern.optional(),
    name: Pattern.optional(),
    externalIds: z.record(z.string(), Pattern).optional(),
  })
  .refine(
    ({ table, name, externalIds }) => table || name || Object.keys(externalIds ?? {}).length > 0,
    'names nothing: give a table, a name or externalIds',
  );

/** Whether a rule's findings are reported and acted on, and after which grace: all of what an entry names must match. */
const RuleSwitch = z
  .strictObject({
    rule: z.string().min(1).optional(),
    vpc: z.string().min(1).optional(),
    subnet: z.string().min(1).optional(),
    namespace: z.string().min(1).optional(),
    /** False: what is found is reported as suppressed, and never acted on. */
    enabled: z.boolean().optional(),
    /** In place of that of the class. */
    grace: Duration.optional(),
    /** Shown with what is suppressed. */
    reason: z.string().min(1).optional(),
  })
  .refine(
    ({ rule, vpc, subnet, namespace }) => rule ?? vpc ?? subnet ?? namespace,
    'names nothing: give a rule, a vpc, a subnet or a namespace',
  )
  .refine(
    ({ enabled, grace }) => enabled !== undefined || grace !== undefined,
    'says nothing: give enabled or grace',
  );
export type RuleSwitch = z.infer<typeof RuleSwitch>;

/** How long a suspicion must last before it is confirmed, by the class of the finding. */
const Grace = z.strictObject({
  garbage: Duration.prefault('15m'),
  leak: Duration.prefault('15m'),
  drift: Duration.prefault('10m'),
  stuck: Duration.prefault('10m'),
  misplaced: Duration.prefault('10m'),
  missing: Duration.prefault('2m'),
  damage: Duration.prefault('0s'),
});

const BROKER = /^(?:\[[0-9a-fA-F:.]+\]|[^\s,:[\]]+):\d{1,5}$/;

/** How to reach Apache Kafka; the services need it, the command line only where it says so. */
const Kafka = z
  .strictObject({
    /** `host:port` of some brokers; the others are learned from them. */
    brokers: z.array(z.string().regex(BROKER, 'not a broker: write host:port')).default([]),
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
    /** Of the topics that are missing at the start, in copies; those that exist keep theirs. One broker takes 1. */
    replicationFactor: z.number().int().min(1).max(32767).default(3),
    tls: z
      .strictObject({
        enabled: z.boolean().default(false),
        /** PEM files. Without `caCertificate` the system's authorities are trusted; the other two come together. */
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
        'plain sends the password in clear text, and kafka.tls.enabled is false: set that to true, use scram-sha-512, or set kafka.sasl.plaintext to true where nobody else can see the connection',
      );
    if (!sasl.mechanism && (sasl.username || sasl.password || sasl.passwordFile))
      wrong(['sasl', 'mechanism'], 'needed beside username and password');
  });

const NamespaceName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'not a namespace name');
const ObjectName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, 'not an object name');

/** Which one of several collectors of a cluster is at work. */
const Lease = z.strictObject({
  /** `auto`: by a Lease where the collector runs in a pod, else only by the lock on its state directory. */
  enabled: z.enum(['auto', 'always', 'never']).default('auto'),
  /** Of the Lease; the pod's own namespace by default. */
  namespace: NamespaceName.optional(),
  /** `ovn-steward-collector-<cluster>` by default. */
  name: ObjectName.optional(),
  /** How long a holder that fell silent keeps it. */
  duration: Duration.prefault('15s'),
});

/** How many effects an hour may see in one place: a share of what is there, but at least and at most so many. */
const ceiling = (byDefault: {
  readonly least: number;
  readonly share: number;
  readonly most: number;
}) =>
  z
    .strictObject({
      least: z.number().int().min(0).default(byDefault.least),
      /** 0.01 is one in a hundred. */
      share: z.number().min(0).max(1).default(byDefault.share),
      most: z.number().int().min(0).default(byDefault.most),
    })
    .refine(({ least, most }) => least <= most, { path: ['least'], message: 'more than most' })
    .prefault({});

/** What the executor may do, how much of it, and when. */
const Executor = z.strictObject({
  /** Of every rule that `rules` does not name. */
  mode: Mode.default('observe'),
  /** By the rule's id. The ids are checked where the rules are known (`modes`). */
  rules: z.record(z.string().min(1), Mode).default({}),
  /** How many different people must allow what a rule proposes, by the rule's id. */
  approvers: z.record(z.string().min(1), z.number().int().min(1).max(9)).default({}),
  /** In any time t no more than burst + perSecond × t. */
  rate: z
    .strictObject({
      perSecond: z.number().positive().max(10_000).default(5),
      burst: z.number().int().min(1).max(10_000).default(10),
    })
    .prefault({}),
  ceilings: z
    .strictObject({
      rule: ceiling({ least: 10, share: 0.01, most: 500 }),
      subnet: ceiling({ least: 5, share: 0.1, most: 200 }),
      vpc: ceiling({ least: 10, share: 0.05, most: 500 }),
      cluster: ceiling({ least: 20, share: 0.02, most: 1000 }),
    })
    .prefault({}),
  /** None: always. Several: in any of them. */
  windows: z.array(TimeWindow).default([]),
  /** Win over windows. */
  freezes: z.array(Freeze).default([]),
  /** When to stand back from other controllers that delete. */
  yield: z
    .strictObject({
      afterLease: Duration.prefault('10m'),
      afterTaken: Duration.prefault('6m'),
      taken: z.number().int().min(1).default(3),
    })
    .prefault({}),
  proofAge: Duration.prefault('5s'),
  /** What is prevented rather than mended. */
  guard: z
    .strictObject({
      /** Off: it writes to every Vpc, and Kube-OVN since v1.13.4 holds its Vpcs itself. */
      vpcFinalizer: z.boolean().default(false),
      /** Off: only where the policy pod-gate is installed, or pod templates carry the gate, is there anything to lift. */
      podGates: z.boolean().default(false),
      podGateTimeout: Duration.prefault('30m'),
    })
    .prefault({}),
  /** How long an object may wait for its finalizers. */
  finishWithin: Duration.prefault('10m'),
  /** The Lease by which Kube-OVN's controllers elect their leader. */
  kubeOvn: z
    .strictObject({
      namespace: NamespaceName.default('kube-system'),
      lease: ObjectName.default('kube-ovn-controller'),
    })
    .prefault({}),
});

/** Backups of the Northbound that the executor takes by itself; none without a folder. */
const Backup = z
  .strictObject({
    folder: z.string().min(1).optional(),
    every: Duration.prefault('1h'),
    /** At least one: the last good backup is never removed. */
    keep: z.number().int().min(1).max(100_000).default(24),
  })
  .refine(({ every }) => every >= 1000, { path: ['every'], message: 'less than a second' });

/**
 * Which keys are trusted on the topics that move an executor (docs/signing.md). The embedded log
 * needs none of it.
 */
const Signing = z.strictObject({
  /** The private key to sign with, PEM. */
  keyFile: z.string().min(1).optional(),
  /** A folder with a file for each key that is trusted. */
  trustedKeys: z.string().min(1).optional(),
  required: z.boolean().default(true),
});

/** The settings of ovn-steward: one schema for the services and the command line (`loadConfig`). */
export const Settings = z.strictObject({
  /** Names the cluster in every event and id: choose once, since another name is another cluster. */
  cluster: z
    .string()
    .regex(
      /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/,
      'letters, digits, ".", "_" and "-" only',
    )
    .default('default'),
  /** Where the log and the state files are kept; a local disk. */
  stateDir: z.string().min(1).default('.steward'),
  grace: Grace.prefault({}),
  /**
   * Of the entries that fit a finding, the first that says something of it counts. The ids are
   * checked where the rules are known.
   */
  rules: z.array(RuleSwitch).default([]),
  ovnNb: OvnDatabase.prefault({}),
  ovnSb: OvnDatabase.prefault({}),
  /**
   * As kubectl finds the cluster without options. `recording` is read in its stead: a dump, for
   * trying things out.
   */
  kubernetes: z
    .strictObject({
      kubeconfig: z.string().min(1).optional(),
      context: z.string().min(1).optional(),
      recording: z.string().min(1).optional(),
    })
    .prefault({}),
  /** That Kube-OVN was uninstalled on purpose from these Kubernetes, whose networks these Northbounds were (docs/doctor.md). */
  uninstalled: z
    .array(
      z
        .string()
        .regex(
          UNINSTALLED,
          'not a pair of systems: write nb:<uuid of the NB_Global row>/<uid of namespace kube-system>, or cid:<raft cluster id>/<uid>',
        ),
    )
    .default([]),
  kafka: Kafka.prefault({}),
  signing: Signing.prefault({}),
  lease: Lease.prefault({}),
  executor: Executor.prefault({}),
  backup: Backup.prefault({}),
  log: z
    .strictObject({
      /** The least important that is written. */
      level: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
      /** `json`, a line each, for collectors of logs; `text` for people. */
      format: z.enum(['json', 'text']).default('json'),
    })
    .prefault({}),
  protect: z.array(Protected).default([]),
  notify: Notify.prefault({}),
  http: Http.prefault({}),
  /** How long a service may take to stop. */
  shutdown: z.strictObject({ deadline: Duration.prefault('25s') }).prefault({}),
});
export type Settings = z.infer<typeof Settings>;
