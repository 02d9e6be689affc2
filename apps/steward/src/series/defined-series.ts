import type { Definition } from '@ovn-steward/service/meter/definition';
import { SERVICE_METRICS } from '@ovn-steward/service/meter/service-metrics';
import { SERVICE_SERIES } from './service-series';
import { METRICS } from '../http/metrics';

/**
 * Every series of the services and of `steward run`, by its name; with the labels of the services,
 * which have one more.
 */
export const DEFINED_SERIES: ReadonlyMap<string, Definition> = new Map(
  [
    ...METRICS,
    ...Object.values(SERVICE_METRICS),
    ...SERVICE_SERIES.flatMap(([, definitions]) => definitions),
  ].map((it) => [it.name, it]),
);
