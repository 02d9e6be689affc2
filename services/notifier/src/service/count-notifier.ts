import { showLags } from '@ovn-steward/service/kafka/catching-up';
import type { Meter } from '@ovn-steward/service/meter/definition';
import { NOTIFIER_METRICS } from './metrics';
import type { NotifierEvent, NotifierReading } from './open-notifier';

/**
 * Puts what a notifier does into metrics, and at each scrape what `reading` then says of it;
 * nothing, where it says nothing. Must not throw.
 */
export function countNotifier(
  meter: Meter,
  reading: () => NotifierReading | undefined,
  now: () => number = Date.now,
): (event: NotifierEvent) => void {
  const deliveredAt = new Map<string, number>();
  meter.onScrape(() => {
    const seen = reading();
    showLags(meter, NOTIFIER_METRICS.lag, seen);
    showLags(meter, NOTIFIER_METRICS.actionsLag, seen && { lags: () => seen.actionsLags() });
    for (const { name, waiting } of seen?.status().sinks ?? []) {
      meter.inc(NOTIFIER_METRICS.failures, { sink: name }, 0);
      for (const state of ['open', 'resolved'])
        meter.inc(NOTIFIER_METRICS.notifications, { sink: name, state }, 0);
      meter.set(NOTIFIER_METRICS.lastDelivery, { sink: name }, deliveredAt.get(name) ?? 0);
      meter.set(NOTIFIER_METRICS.waiting, { sink: name }, waiting);
    }
  });
  return (event) => {
    if (event.type === 'delivered') {
      meter.inc(NOTIFIER_METRICS.notifications, { sink: event.sink, state: event.state });
      deliveredAt.set(event.sink, now() / 1000);
    } else if (event.type === 'failed') meter.inc(NOTIFIER_METRICS.failures, { sink: event.sink });
    else if (event.type === 'unreadable') meter.inc(NOTIFIER_METRICS.deadLetters, {});
  };
}
