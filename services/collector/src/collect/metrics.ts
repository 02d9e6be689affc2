import { LOG_METRICS } from '@ovn-steward/service/kafka/log-metrics';
import { define, perCluster } from '@ovn-steward/service/meter/definition';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { CollectorEvent } from './collect';

/** What a collector reports of what it does. */
export const COLLECTOR_METRICS = {
  published: define(
    'counter',
    'collector_changes_published_total',
    ['source'],
    'Changes written to the log, heartbeats included.',
  ),
  sourceFailures: define(
    'counter',
    'collector_source_failures_total',
    ['source'],
    'How often the source failed and had to be read again.',
  ),
  publishRetries: define(
    'counter',
    'collector_publish_retries_total',
    ['source'],
    'How often a write to the log failed and had to be retried.',
  ),
} as const;

/** What a collector that works in a process of its own reports besides. */
export const STANDING_METRICS = {
  leader: perCluster(
    define(
      'gauge',
      'collector_leader',
      [],
      '1 while this collector is the active one of its cluster, 0 while it stands by.',
    ),
  ),
  streams: perCluster(
    define(
      'gauge',
      'collector_streams',
      ['source', 'state'],
      'Streams by how far they were read: silent, reading, complete, answered (nothing to read, or refused), unavailable.',
    ),
  ),
} as const;

/** Every series of the collector as a service, besides those of every service. */
export const COLLECTOR_SERVICE_METRICS = [
  ...Object.values(COLLECTOR_METRICS).map(perCluster),
  ...Object.values(STANDING_METRICS),
  ...Object.values(LOG_METRICS),
];

/**
 * Counts what happens. `sources`: the id of each that is to be read, and what it observes
 * (`ovn-nb`, `kubernetes`), which is its label. Their counters begin at 0, so that the first
 * failure is an increase. `of`: labels for all, where the meter has them.
 */
export function countCollector(
  meter: Meter,
  sources: ReadonlyMap<string, string>,
  of: Readonly<Record<string, string>> = {},
): (event: CollectorEvent) => void {
  for (const source of sources.values())
    for (const definition of Object.values(COLLECTOR_METRICS))
      meter.inc(definition, { ...of, source }, 0);
  return (event) => {
    const labels = { ...of, source: sources.get(event.source) ?? event.source };
    if (event.type === 'published') meter.inc(COLLECTOR_METRICS.published, labels, event.changes);
    else
      meter.inc(
        event.type === 'source-failed'
          ? COLLECTOR_METRICS.sourceFailures
          : COLLECTOR_METRICS.publishRetries,
        labels,
      );
  };
}
