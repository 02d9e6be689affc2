import { z } from 'zod';
import { Duration } from './duration';
import { Pattern } from '../pattern';
import { Http } from './http-settings';
import { Notify } from './notify-settings';
import { UNINSTALLED } from './uninstalled';
import { OvnDatabase } from './ovn-settings';
import { NamespaceName, ObjectName } from './object-names';
import { ExecutorSettings } from './executor-settings';
import { Kafka } from './kafka-schema';

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

/**
 * Whether a rule's findings are reported and acted on, and after which grace: all of what an entry
 * names must match.
 */
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

/** Which one of several collectors of a cluster is at work. */
const Lease = z.strictObject({
  /**
   * `auto`: by a Lease where the collector runs in a pod, else only by the lock on its state
   * directory.
   */
  enabled: z.enum(['auto', 'always', 'never']).default('auto'),
  /** Of the Lease; the pod's own namespace by default. */
  namespace: NamespaceName.optional(),
  /** `ovn-steward-collector-<cluster>` by default. */
  name: ObjectName.optional(),
  /** How long a holder that fell silent keeps it. */
  duration: Duration.prefault('15s'),
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
  /**
   * Names the cluster in every event and id: choose once, since another name is another cluster.
   */
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
  /**
   * That Kube-OVN was uninstalled on purpose from these Kubernetes, whose networks these
   * Northbounds were (docs/doctor.md).
   */
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
  executor: ExecutorSettings.prefault({}),
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
