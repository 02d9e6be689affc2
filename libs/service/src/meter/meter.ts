import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Definition, Meter } from './definition';

/** Seconds; from a batch on an idle machine to one that is far too slow. */
const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/**
 * `process`: also what prom-client reports of any Node process (memory, CPU, handles, garbage
 * collection).
 */
export function createMeter(
  definitions: readonly Definition[],
  { process = false }: { readonly process?: boolean } = {},
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
  const shows: (() => void)[] = [];
  return {
    inc: (definition, labels, by = 1) => {
      known(counters, definition).inc(labels, by);
    },
    set: (definition, labels, value) => {
      known(gauges, definition).set(labels, value);
    },
    add: (definition, labels, by) => {
      known(gauges, definition).inc(labels, by);
    },
    observe: (definition, labels, value) => {
      known(histograms, definition).observe(labels, value);
    },
    reset: (definition) => {
      known<Counter | Gauge>(definition.type === 'counter' ? counters : gauges, definition).reset();
    },
    onScrape: (show) => {
      shows.push(show);
    },
    text() {
      for (const show of shows) show();
      return registry.metrics();
    },
  };
}

function known<T>(series: ReadonlyMap<string, T>, { name, type }: Definition): T {
  const one = series.get(name);
  if (one === undefined) throw new Error(`${name} is no ${type} of this meter`);
  return one;
}
