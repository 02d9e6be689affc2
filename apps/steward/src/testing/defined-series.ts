import { ANALYZER_SERVICE_METRICS } from '@ovn-steward/analyzer';
import { COLLECTOR_SERVICE_METRICS } from '@ovn-steward/collector';
import { EXECUTOR_SERVICE_METRICS } from '@ovn-steward/executor';
import { NOTIFIER_SERVICE_METRICS } from '@ovn-steward/notifier';
import type { Definition } from '@ovn-steward/service/meter/definition';
import { SERVICE_METRICS } from '@ovn-steward/service/meter/service-metrics';
import { METRICS } from '../http/metrics';

/** Every series of the services and of `steward run`, by its name; with the labels of the services, which have one more. */
export const DEFINED_SERIES: ReadonlyMap<string, Definition> = new Map(
  [
    ...METRICS,
    ...Object.values(SERVICE_METRICS),
    ...COLLECTOR_SERVICE_METRICS,
    ...ANALYZER_SERVICE_METRICS,
    ...EXECUTOR_SERVICE_METRICS,
    ...NOTIFIER_SERVICE_METRICS,
  ].map((it) => [it.name, it]),
);
