import { certificateEnds } from '@ovn-steward/shared/settings/certificate-files';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { define } from './definition';
import type { Meter } from './definition';
import type { EventLoopDelay } from './event-loop-delay';

/** What every process of ours reports of itself. */
export const PROCESS_METRICS = {
  build: define(
    'gauge',
    'build_info',
    ['version'],
    'Always 1; the label is the version of the program.',
  ),
  eventLoopDelay: define(
    'gauge',
    'event_loop_delay_seconds',
    ['quantile'],
    'How late timers came since the last scrape; quantile 1 is the latest.',
  ),
  certificateExpiry: define(
    'gauge',
    'certificate_expiry_timestamp_seconds',
    ['setting'],
    'When the certificate ends that the setting names, in seconds since 1970; of authorities the one that lasts longest. Absent while the file cannot be read.',
  ),
  unshown: define(
    'counter',
    'metrics_unreadable_total',
    [],
    'How often series were left out of an answer of /metrics, since what they show could not be read.',
  ),
  refused: define(
    'counter',
    'http_requests_refused_total',
    ['status'],
    'Requests over HTTP that were refused because their sender is not authenticated (401), not authorized (403), or that could not be checked (503).',
  ),
} as const;

/** Keeps them true from now on. */
export function registerProcessMetrics(
  meter: Meter,
  version: string,
  delay: Pick<EventLoopDelay, 'read'>,
  settings: Pick<Settings, 'ovnNb' | 'ovnSb' | 'kafka' | 'http'>,
): void {
  meter.set(PROCESS_METRICS.build, { version }, 1);
  meter.onScrape(() => {
    for (const [quantile, seconds] of delay.read())
      meter.set(PROCESS_METRICS.eventLoopDelay, { quantile: String(quantile) }, seconds);
    meter.reset(PROCESS_METRICS.certificateExpiry);
    for (const [setting, seconds] of certificateEnds(settings))
      meter.set(PROCESS_METRICS.certificateExpiry, { setting }, seconds);
  });
}
