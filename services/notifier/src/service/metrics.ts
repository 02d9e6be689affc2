import { LOG_METRICS } from '@ovn-steward/service/kafka/log-metrics';
import { define } from '@ovn-steward/service/meter/definition';

/** What a notifier reports of itself, besides what every service does. */
export const NOTIFIER_METRICS = {
  lag: define(
    'gauge',
    'notifier_lag_records',
    ['partition'],
    'Offsets between what was read of the findings and their end.',
  ),
  actionsLag: define(
    'gauge',
    'notifier_actions_lag_records',
    ['partition'],
    'Offsets between what was read of the actions and their end. Only where a sink is sent actions.',
  ),
  deadLetters: define(
    'counter',
    'notifier_unreadable_total',
    [],
    'Records of the findings that could not be read and were skipped; the analyzer and the executor write them to the dead letters.',
  ),
  notifications: define(
    'counter',
    'notifier_notifications_total',
    ['sink', 'state'],
    'Notifications a sink took, by what they say: of findings `open` or `resolved`, of actions their state.',
  ),
  failures: define(
    'counter',
    'notifier_failures_total',
    ['sink'],
    'How often a sink did not accept a notification; it is sent again.',
  ),
  waiting: define(
    'gauge',
    'notifier_waiting_groups',
    ['sink'],
    'Groups of findings that may have to be sent to the sink.',
  ),
  lastDelivery: define(
    'gauge',
    'notifier_last_delivery_timestamp_seconds',
    ['sink'],
    'When the sink took a notification last, in seconds since 1970; 0 when not since this process began.',
  ),
} as const;

export const NOTIFIER_SERVICE_METRICS = [
  ...Object.values(LOG_METRICS),
  ...Object.values(NOTIFIER_METRICS),
];
