import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Definition, Meter } from './definition';
import { PROCESS_METRICS } from './process-metrics';
import { Shows } from './shows';

/** Seconds; from a batch on an idle machine to one that is far too slow. */
const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

export interface MeterOptions {
  /** Also what prom-client reports of any Node process (memory, CPU, handles, garbage collection). */
  readonly process?: boolean;
  /** What is shown at a scrape could not be read; said once until it is another reason. */
  readonly onFailed?: (reason: string) => void;
}

export function createMeter(
  definitions: readonly Definition[],
  { process = false, onFailed }: MeterOptions = {},
): Meter {
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const { type, name, help, labels } of definitions) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') counters.set(name, new Counter(options));
    else if (type === 'gauge') gauges.set(name, new Gauge(options));
    else histograms.set(name, new Histogram({ ...options, buckets: SECONDS }));
  }
  const shows = new Shows();
  const hide = (definition: Definition): void =>
    hidden(known<Counter | Gauge>(definition.type === 'counter' ? counters : gauges, definition));
  return {
    inc: (definition, labels, by = 1) => {
      shows.note(definition);
      known(counters, definition).inc(labels, by);
    },
    set: (definition, labels, value) => {
      shows.note(definition);
      known(gauges, definition).set(labels, value);
    },
    add: (definition, labels, by) => {
      shows.note(definition);
      known(gauges, definition).inc(labels, by);
    },
    observe: (definition, labels, value) => {
      known(histograms, definition).observe(labels, value);
    },
    reset: (definition) => {
      shows.note(definition);
      known<Counter | Gauge>(definition.type === 'counter' ? counters : gauges, definition).reset();
    },
    onScrape: (show) => shows.add(show),
    text() {
      shows.run(hide, (reason, again) => {
        counters.get(PROCESS_METRICS.unshown.name)?.inc();
        if (!again) onFailed?.(reason);
      });
      return registry.metrics();
    },
  };
}

/** Without a value: `reset` would give one without labels the value 0. */
function hidden(series: Counter | Gauge): void {
  series.reset();
  if ((series as unknown as { labelNames: readonly string[] }).labelNames.length === 0)
    series.remove();
}

function known<T>(series: ReadonlyMap<string, T>, { name, type }: Definition): T {
  const one = series.get(name);
  if (one === undefined) throw new Error(`${name} is no ${type} of this meter`);
  return one;
}
