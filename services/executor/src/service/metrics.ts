import { LOG_METRICS } from '@ovn-steward/service/kafka/log-metrics';
import { define } from '@ovn-steward/service/meter/definition';

/** The metrics of the guards of Vpcs and of pods, wherever they run. */
export const GUARD_METRICS = {
  waitingVpcs: define(
    'gauge',
    'executor_waiting_vpc_deletions',
    [],
    'Vpcs that are being deleted and are still there.',
  ),
  waitingVpcAge: define(
    'gauge',
    'executor_waiting_vpc_deletion_age_seconds',
    [],
    'How long the longest of them waits.',
  ),
  guardFinalizers: define(
    'counter',
    'executor_guard_finalizers_total',
    ['did'],
    'How often the guard put its finalizer on a Vpc (`add`) or took it off (`take-off`).',
  ),
  guardDenials: define(
    'gauge',
    'executor_guard_denials',
    ['policy'],
    'Requests that a policy of ours refused, as counted by the answering API server since its start. Only if its /metrics may be read.',
  ),
  heldPods: define(
    'gauge',
    'executor_held_pods',
    [],
    'Pods that wait for their subnet by our scheduling gate. Only while executor.guard.podGates is on.',
  ),
  heldPodAge: define(
    'gauge',
    'executor_held_pod_age_seconds',
    [],
    'How long the longest of them waits since this process first saw it.',
  ),
  podGates: define(
    'counter',
    'executor_pod_gates_total',
    ['did'],
    'How often a pod was seen held for a new reason (`held`), was let go (`lifted`), or was let go since the time was over (`timed-out`).',
  ),
  guardFailures: define(
    'counter',
    'executor_guard_failures_total',
    [],
    'How often a guard could not read or write something; it is tried again.',
  ),
} as const;

/** The metrics of an executor's knowledge and actions, wherever it runs. */
export const EXECUTOR_METRICS = {
  proposals: define(
    'gauge',
    'executor_proposals',
    ['cluster', 'rule'],
    'Confirmed findings with a remedy. Whether it is done, the modes, approvals and plans say: see executor_actions_total.',
  ),
  records: define(
    'counter',
    'executor_records_total',
    [],
    'Records of the findings that were read, dead letters included.',
  ),
  newer: define(
    'counter',
    'executor_newer_records_total',
    [],
    'Findings with words this version does not know; they are never proposed.',
  ),
  deadLetters: define(
    'counter',
    'dead_letters_total',
    [],
    'Records that could not be read and became dead letters.',
  ),
  refused: define(
    'counter',
    'records_refused_total',
    ['topic', 'reason'],
    'Records of control and actions without proof that an authorized key wrote them: they have no effect and become dead letters.',
  ),
  failures: define(
    'counter',
    'executor_failures_total',
    [],
    'How often reading or acting failed and was begun again.',
  ),
  actions: define(
    'counter',
    'executor_actions_total',
    ['rule', 'action', 'state', 'code'],
    'Decisions about findings, each time one changed: what became of it (state), and why (code).',
  ),
  otherCluster: define(
    'counter',
    'executor_other_cluster_total',
    ['refused'],
    'What was refused because it is of other live systems than those of the ledger: a `turn`, each second in which nothing is done for it; a `send`; a `guard`, each write of a guard; and, once each, a `claim`, `race`, `undo`, `plan`, `approval` or `give-up`.',
  ),
  unproven: define(
    'counter',
    'executor_unproven_total',
    ['refused'],
    'What was not done, since the action is known from unsigned records alone (`signing.required: false`): once each, a `claim`, `race`, `undo` or `give-up`.',
  ),
  holds: define(
    'gauge',
    'executor_holds',
    ['scope'],
    'Holds in force, by what they name: the whole `cluster`, a `rule`, `vpc` or `subnet`, or `several` of these. 0 where this executor has not its turn.',
  ),
  kept: define(
    'gauge',
    'executor_kept',
    ['kind'],
    'Suppressions (`suppress`) and protections (`protect`) of people in force: what they may mean is not acted on. 0 where this executor has not its turn.',
  ),
  openClaims: define(
    'gauge',
    'executor_open_claims',
    [],
    'Actions that are claimed and not ended; more than a few for more than minutes: a system cannot be read.',
  ),
  unsettledClaims: define(
    'gauge',
    'executor_unsettled_claims',
    [],
    'Actions under way of which it could not be found out, or brought about, how they end: steward actions says why, steward give-up ends one.',
  ),
  unsettledClaimAge: define(
    'gauge',
    'executor_unsettled_claim_age_seconds',
    [],
    'How long the oldest of them fails.',
  ),
  outbox: define(
    'gauge',
    'executor_outbox',
    [],
    'Records of the ledger the log has not acknowledged yet; nothing is removed while it does not.',
  ),
  effectSeconds: define(
    'histogram',
    'executor_effect_duration_seconds',
    ['action'],
    'How long a removal took, from the request to the verified result.',
  ),
  abortedPlans: define(
    'counter',
    'executor_aborted_plans_total',
    ['scope'],
    'Plans given up since they were over a ceiling: of a rule, VPC, subnet, or of all.',
  ),
  undos: define(
    'counter',
    'executor_undos_total',
    ['code'],
    'What was removed and put back: at a person’s request, or because an owner appeared meanwhile.',
  ),
  yielded: define(
    'counter',
    'executor_yielded_total',
    ['rule'],
    'Actions deferred because somebody else was removing the same.',
  ),
  backupTaken: define(
    'gauge',
    'executor_backup_last_success_timestamp_seconds',
    [],
    'When the newest verified backup of the cluster in backup.folder was taken, as Unix time; 0 while there is none, or none is configured.',
  ),
  backupFailures: define(
    'counter',
    'executor_backup_failures_total',
    [],
    'How often a configured backup could not be taken or verified; it is retried.',
  ),
  ...GUARD_METRICS,
} as const;

/** Further metrics of an executor that shares its work with others. */
export const SHARED_EXECUTOR_METRICS = {
  partitions: define(
    'gauge',
    'executor_partitions',
    [],
    'Partitions of the findings this executor has.',
  ),
  lag: define(
    'gauge',
    'executor_partition_lag',
    ['partition'],
    'Offsets between what is read and the end of the partition; 0 when all is read.',
  ),
} as const;

/** Every series of the executor as a service, besides those of every service. */
export const EXECUTOR_SERVICE_METRICS = [
  ...Object.values(EXECUTOR_METRICS),
  ...Object.values(SHARED_EXECUTOR_METRICS),
  ...Object.values(LOG_METRICS),
];
