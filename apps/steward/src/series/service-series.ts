import { ANALYZER_SERVICE_METRICS } from '@ovn-steward/analyzer';
import { COLLECTOR_SERVICE_METRICS } from '@ovn-steward/collector';
import { EXECUTOR_SERVICE_METRICS } from '@ovn-steward/executor';
import { NOTIFIER_SERVICE_METRICS } from '@ovn-steward/notifier';
import type { Definition } from '@ovn-steward/service/meter/definition';

/** The services, and the series of each beside those that all have (`SERVICE_METRICS`). */
export const SERVICE_SERIES: readonly (readonly [string, readonly Definition[]])[] = [
  ['collector', COLLECTOR_SERVICE_METRICS],
  ['analyzer', ANALYZER_SERVICE_METRICS],
  ['executor', EXECUTOR_SERVICE_METRICS],
  ['notifier', NOTIFIER_SERVICE_METRICS],
];
