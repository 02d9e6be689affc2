import { RULES } from '@ovn-steward/analyzer';
import type { AnalyzedBatch, Picture } from '@ovn-steward/analyzer';
import type { CollectorEvent } from '@ovn-steward/collector';
import type { AuditSource } from '@ovn-steward/shared/events/audit';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

interface Definition<L extends string = string> {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly name: string;
  readonly labels: readonly L[];
  readonly help: string;
}

const define = <const L extends string = never>(type: Definition['type'], name: string, labels: readonly L[], help: string): Definition<L> => ({ type, name: `steward_${name}`, labels, help });

/** Every series `GET /metrics` has; docs/http.md repeats it. */
export const METRICS = {
  build: define('gauge', 'build_info', ['version'], 'Always 1; the label is the version of the program.'),
  ready: define('gauge', 'ready', [], '1 while everything that some rule needs is known in full and fresh, else 0: as /readyz says.'),
  sourceComplete: define('gauge', 'source_complete', ['source'], '1 while every kind of the source that exists and some rule needs is known in full, else 0.'),
  watermarkAge: define('gauge', 'watermark_age_seconds', ['source', 'stream'], 'How long ago the stream was last known to be up to date, on the sources’ clock. Absent until it was once.'),
  findings: define('gauge', 'findings', ['rule', 'class', 'state', 'severity'], 'Findings that are not resolved; 0 for a rule that found nothing.'),
  unknowns: define('gauge', 'unknowns', ['rule'], 'What the rule cannot judge now: single subjects, and 1 when the whole rule is withheld.'),
  withheld: define('gauge', 'rule_withheld', ['rule'], '1 while the rule says nothing because a kind it needs is not known in full, else 0.'),
  published: define('counter', 'collector_changes_published_total', ['source'], 'Changes written to the log, heartbeats included.'),
  sourceFailures: define('counter', 'collector_source_failures_total', ['source'], 'How often the source failed and was to be read anew.'),
  publishRetries: define('counter', 'collector_publish_retries_total', ['source'], 'How often writing to the log failed and was to be tried again.'),
  records: define('counter', 'analyzer_records_total', [], 'Records of the log that were judged, dead letters included.'),
  batch: define('histogram', 'analyzer_batch_duration_seconds', [], 'How long a batch of records took, from reading to its findings being published.'),
  deadLetters: define('counter', 'dead_letters_total', [], 'Records that could not be read and were set aside.'),
  eventLoopDelay: define('gauge', 'event_loop_delay_seconds', ['quantile'], 'How late timers came since the last scrape; quantile 1 is the latest.'),
} as const;

/** What the gauges show, read at the moment of the scrape. */
export interface Reading {
  readonly picture: Pick<Picture, 'findings' | 'unknowns' | 'streams'>;
  readonly sources: readonly Pick<AuditSource, 'id' | 'complete'>[];
  readonly ready: boolean;
  /** Milliseconds on the sources' clock. */
  readonly now: number;
  readonly eventLoopDelay: ReadonlyMap<number, number>;
}

export interface Metrics {
  onEvent(event: CollectorEvent): void;
  onBatch(batch: AnalyzedBatch): void;
  /** The Prometheus text format, version 0.0.4. */
  text(reading: Reading): Promise<string>;
}

const BATCH_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/**
 * `sources`: the id of each that is to be read, and what it tells of (`ovn-nb`, `kubernetes`), which is its label. Their
 * counters begin at 0, so that the first failure is an increase.
 */
export function createMetrics(version: string, sources: ReadonlyMap<string, string>): Metrics {
  const registers = [new Registry()];
  const options = <L extends string>({ name, help, labels }: Definition<L>) => ({ name, help, labelNames: labels, registers });
  const counters = {
    published: new Counter(options(METRICS.published)), sourceFailures: new Counter(options(METRICS.sourceFailures)), publishRetries: new Counter(options(METRICS.publishRetries)),
    records: new Counter(options(METRICS.records)), deadLetters: new Counter(options(METRICS.deadLetters)),
  };
  for (const source of sources.values()) for (const it of [counters.published, counters.sourceFailures, counters.publishRetries]) it.inc({ source }, 0);
  const batch = new Histogram({ ...options(METRICS.batch), buckets: BATCH_SECONDS });
  const gauges = {
    ready: new Gauge(options(METRICS.ready)), sourceComplete: new Gauge(options(METRICS.sourceComplete)), watermarkAge: new Gauge(options(METRICS.watermarkAge)),
    findings: new Gauge(options(METRICS.findings)), unknowns: new Gauge(options(METRICS.unknowns)), withheld: new Gauge(options(METRICS.withheld)),
    eventLoopDelay: new Gauge(options(METRICS.eventLoopDelay)),
  };
  new Gauge(options(METRICS.build)).set({ version }, 1);

  const show = ({ picture, ready, now, ...reading }: Reading): void => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    gauges.ready.set(ready ? 1 : 0);
    for (const source of sources.values()) gauges.sourceComplete.set({ source }, 0);
    for (const { id, complete } of reading.sources) gauges.sourceComplete.set({ source: id }, complete ? 1 : 0);
    for (const { source, stream, observedThrough } of picture.streams()) {
      if (observedThrough !== '') gauges.watermarkAge.set({ source, stream }, Math.max(0, (now - Date.parse(observedThrough)) / 1000));
    }
    for (const { id: rule, class: kind, severity } of RULES) {
      for (const state of ['suspected', 'confirmed']) gauges.findings.set({ rule, class: kind, state, severity }, 0);
      gauges.unknowns.set({ rule }, 0);
      gauges.withheld.set({ rule }, 0);
    }
    for (const { rule, class: kind, state, severity } of picture.findings()) gauges.findings.inc({ rule, class: kind, state, severity });
    for (const { rule, subject } of picture.unknowns()) {
      gauges.unknowns.inc({ rule });
      if (subject === null) gauges.withheld.set({ rule }, 1);
    }
    for (const [quantile, seconds] of reading.eventLoopDelay) gauges.eventLoopDelay.set({ quantile: String(quantile) }, seconds);
  };

  return {
    onEvent(event) {
      const source = sources.get(event.source) ?? event.source;
      if (event.type === 'published') counters.published.inc({ source }, event.changes);
      else (event.type === 'source-failed' ? counters.sourceFailures : counters.publishRetries).inc({ source });
    },
    onBatch({ records, deadLetters, seconds }) {
      counters.records.inc(records);
      counters.deadLetters.inc(deadLetters);
      batch.observe(seconds);
    },
    text(reading) {
      show(reading);
      return registers[0]!.metrics();
    },
  };
}
