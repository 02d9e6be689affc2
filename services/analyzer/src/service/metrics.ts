import { isOpen } from '@ovn-steward/client';
import { AuditPairing, type AuditSource } from '@ovn-steward/contracts/audit';
import { LOG_METRICS } from '@ovn-steward/service/kafka/log-metrics';
import { define, perCluster } from '@ovn-steward/service/meter/definition';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { AnalyzedCluster } from '../partition/analyzed-cluster';
import type { AnalyzedBatch } from '../partition/analyzer-options';
import { byCause } from '@ovn-steward/contracts/findings/by-cause';
import { FindingClass } from '@ovn-steward/contracts/findings/finding';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Score } from '@ovn-steward/judgement/score/score';
import { SCORE_METRICS, showScore } from './score-metrics';
import { showSubnets, SUBNET_METRICS } from './subnet-metrics';

/** What an analyzer reports of what it knows and does. */
export const ANALYZER_METRICS = {
  sourceComplete: define(
    'gauge',
    'source_complete',
    ['source'],
    '1 while every kind of the source that exists and some rule needs is known in full, else 0.',
  ),
  watermarkAge: define(
    'gauge',
    'watermark_age_seconds',
    ['source', 'stream'],
    'How long ago the stream was last known to be up to date, on the sources’ clock. Absent until it was once.',
  ),
  findings: define(
    'gauge',
    'findings',
    ['rule', 'class', 'state', 'severity'],
    'Findings that are not resolved; 0 for a rule that found nothing.',
  ),
  causes: define(
    'gauge',
    'finding_causes',
    ['class'],
    'Different causes of findings that are not resolved; a finding without a known cause counts as one of its own.',
  ),
  pairing: define(
    'gauge',
    'pairing',
    ['state'],
    '1 for what is known now of whether the Kubernetes is that of the Northbound, 0 for the other states: paired, unknown, mispaired. Rules that compare both say nothing unless it is paired.',
  ),
  unknowns: define(
    'gauge',
    'unknowns',
    ['rule'],
    'What the rule cannot judge now: single subjects, and 1 when the whole rule is withheld.',
  ),
  withheld: define(
    'gauge',
    'rule_withheld',
    ['rule'],
    '1 while the rule says nothing because a kind it needs is not known in full, else 0.',
  ),
  records: define(
    'counter',
    'analyzer_records_total',
    [],
    'Records of the log that were judged, dead letters included.',
  ),
  batch: define(
    'histogram',
    'analyzer_batch_duration_seconds',
    [],
    'How long a batch of records took, from reading to its findings being published.',
  ),
  deadLetters: define(
    'counter',
    'dead_letters_total',
    [],
    'Records that could not be read and became dead letters.',
  ),
} as const;

const PICTURED = [
  ANALYZER_METRICS.sourceComplete,
  ANALYZER_METRICS.watermarkAge,
  ANALYZER_METRICS.findings,
  ANALYZER_METRICS.causes,
  ANALYZER_METRICS.pairing,
  ANALYZER_METRICS.unknowns,
  ANALYZER_METRICS.withheld,
  ...Object.values(SUBNET_METRICS),
  ...Object.values(SCORE_METRICS),
];

/** What an analyzer that shares its work with others reports besides. */
export const SHARED_ANALYZER_METRICS = {
  partitions: define(
    'gauge',
    'analyzer_partitions',
    [],
    'Partitions of the changes this analyzer has.',
  ),
  lag: define(
    'gauge',
    'analyzer_partition_lag',
    ['partition'],
    'Offsets between what is judged and the end of the partition; 0 when all is judged.',
  ),
  rebuilds: define(
    'counter',
    'analyzer_rebuilds_total',
    [],
    'How often a partition was read again from the log because its checkpoint was lost, stale or another’s.',
  ),
  lost: define(
    'counter',
    'analyzer_partitions_lost_total',
    [],
    'How often a partition turned out to be another analyzer’s while this one worked on it.',
  ),
  failures: define(
    'counter',
    'analyzer_failures_total',
    [],
    'How often reading or publishing failed and was begun again.',
  ),
  published: define(
    'counter',
    'analyzer_findings_published_total',
    ['state'],
    'Findings written to the log, in each revision, by their state.',
  ),
} as const;

/** Every series of the analyzer as a service, besides those of every service. */
export const ANALYZER_SERVICE_METRICS = [
  ...PICTURED.map(perCluster),
  ANALYZER_METRICS.records,
  ANALYZER_METRICS.batch,
  ANALYZER_METRICS.deadLetters,
  ...Object.values(SHARED_ANALYZER_METRICS),
  ...Object.values(LOG_METRICS),
];

/** What the gauges show of one cluster, read at the moment of the scrape. */
export interface ClusterGauges {
  readonly picture: Pick<
    AnalyzedCluster,
    'findings' | 'unknowns' | 'pairing' | 'streams' | 'world'
  >;
  readonly sources: readonly Pick<AuditSource, 'id' | 'complete'>[];
  /** Sources that are to be there; those not among `sources` have no records yet. */
  readonly expected: Iterable<string>;
  /** Milliseconds on the sources' clock. */
  readonly now: number;
  /** How Kube-OVN collects its garbage; undefined before anything was observed of it. */
  readonly score?: Score | undefined;
}

/**
 * Shows what is known of each cluster in place of what was shown before. The key is the label
 * `cluster`; without one (undefined) there is no such label.
 */
export function showPictures(
  meter: Meter,
  readings: ReadonlyMap<string | undefined, ClusterGauges>,
): void {
  for (const gauge of PICTURED) meter.reset(gauge);
  for (const [cluster, reading] of readings)
    show(meter, cluster === undefined ? {} : { cluster }, reading);
}

function show(
  meter: Meter,
  of: Readonly<Record<string, string>>,
  { picture, now, sources, expected, score }: ClusterGauges,
): void {
  for (const source of expected) meter.set(ANALYZER_METRICS.sourceComplete, { ...of, source }, 0);
  for (const { id, complete } of sources)
    meter.set(ANALYZER_METRICS.sourceComplete, { ...of, source: id }, complete ? 1 : 0);
  for (const { source, stream, observedThrough } of picture.streams()) {
    if (observedThrough !== '')
      meter.set(
        ANALYZER_METRICS.watermarkAge,
        { ...of, source, stream },
        Math.max(0, (now - Date.parse(observedThrough)) / 1000),
      );
  }
  for (const { id: rule, class: kind, severity } of RULES) {
    for (const state of ['suspected', 'confirmed', 'suppressed'])
      meter.set(ANALYZER_METRICS.findings, { ...of, rule, class: kind, state, severity }, 0);
    meter.set(ANALYZER_METRICS.unknowns, { ...of, rule }, 0);
    meter.set(ANALYZER_METRICS.withheld, { ...of, rule }, 0);
  }
  for (const { rule, class: kind, state, severity } of picture.findings())
    meter.add(ANALYZER_METRICS.findings, { ...of, rule, class: kind, state, severity }, 1);
  for (const kind of FindingClass.options)
    meter.set(
      ANALYZER_METRICS.causes,
      { ...of, class: kind },
      byCause(picture.findings().filter((it) => isOpen(it) && it.class === kind)).length,
    );
  const { is } = picture.pairing();
  for (const state of AuditPairing.shape.state.options)
    meter.set(ANALYZER_METRICS.pairing, { ...of, state }, state === is ? 1 : 0);
  for (const { rule, subject } of picture.unknowns()) {
    meter.add(ANALYZER_METRICS.unknowns, { ...of, rule }, 1);
    if (subject === null) meter.set(ANALYZER_METRICS.withheld, { ...of, rule }, 1);
  }
  showSubnets(meter, of, picture.world, now);
  if (score) showScore(meter, of, score);
}

/** Counts a batch. */
export function countBatch(meter: Meter, { records, deadLetters, seconds }: AnalyzedBatch): void {
  meter.inc(ANALYZER_METRICS.records, {}, records);
  meter.inc(ANALYZER_METRICS.deadLetters, {}, deadLetters);
  meter.observe(ANALYZER_METRICS.batch, {}, seconds);
}
