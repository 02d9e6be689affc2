import { define } from '../meter/definition';

/** What a service reports of the log it works on. */
export const LOG_METRICS = {
  reachable: define('gauge', 'log_reachable', [], '1 while the log answers, else 0.'),
  events: define(
    'counter',
    'log_client_events_total',
    ['type'],
    'Events between this client and the brokers: consumers restarted, producers replaced, partitions assigned and revoked.',
  ),
} as const;
