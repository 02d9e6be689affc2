import { LOG_METRICS } from '@ovn-steward/service/kafka/log-metrics';
import { define } from '@ovn-steward/service/meter/definition';

/** What an executor tells of what it knows and does. */
export const EXECUTOR_METRICS = {
  proposals: define('gauge', 'executor_proposals', ['cluster', 'rule'], 'Confirmed findings something would be done about. Nothing is done.'),
  records: define('counter', 'executor_records_total', [], 'Records of the findings that were read, dead letters included.'),
  newer: define('counter', 'executor_newer_records_total', [], 'Findings with words this version does not know; they are never proposed.'),
  deadLetters: define('counter', 'dead_letters_total', [], 'Records that could not be read and were set aside.'),
  failures: define('counter', 'executor_failures_total', [], 'How often reading failed and was begun again.'),
  partitions: define('gauge', 'executor_partitions', [], 'Partitions of the findings this executor has.'),
  lag: define('gauge', 'executor_partition_lag', ['partition'], 'Offsets between what is read and the end of the partition; 0 when all is read.'),
} as const;

/** Every series of the executor as a service, besides those of every service. */
export const EXECUTOR_SERVICE_METRICS = [...Object.values(EXECUTOR_METRICS), ...Object.values(LOG_METRICS)];
