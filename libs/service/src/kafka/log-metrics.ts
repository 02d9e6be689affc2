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
  positionsLost: define(
    'counter',
    'log_positions_lost_total',
    ['topic'],
    'How often the log no longer held the position at which this service was to read on: records were removed unread, or the topic was recreated. It then reads the topic from its beginning.',
  ),
} as const;
