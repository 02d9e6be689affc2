import { define } from './definition';
import { PROCESS_METRICS } from './process-metrics';

/** The series of every service. */
export const SERVICE_METRICS = {
  ...PROCESS_METRICS,
  ready: define('gauge', 'ready', [], '1 while the service is of use, as /readyz says, else 0.'),
  workRetries: define(
    'counter',
    'work_retries_total',
    [],
    'How often the work of the service failed as a whole and was begun again.',
  ),
} as const;
