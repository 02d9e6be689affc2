import type { AuditDocument, AuditSource } from '@ovn-steward/contracts/audit';
import { isOpen } from '@ovn-steward/contracts/findings/is-open';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { AnalyzedCluster } from '../partition/analyze';
import { pairingReport } from './pairing-report';
import { cutLists } from '@ovn-steward/judgement/rule-kit/cut-lists';
import { RULES } from '@ovn-steward/judgement/rules/registry';

type Streams = ReturnType<AnalyzedCluster['streams']>;

const SEVERITIES = ['critical', 'warning', 'info'];

/** What an engine knows now, as the public document: sources with what they hold and lack, findings, and what could not be judged. */
export function auditDocument(engine: AnalyzedCluster, cluster: string): AuditDocument {
  const findings = [...engine.findings()].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      compare(a.rule, b.rule) ||
      compare(a.summary, b.summary) ||
      compare(a.id, b.id),
  );
  const open = findings.filter(isOpen);
  const count = (by: (it: (typeof findings)[number]) => string): Record<string, number> => {
    const counts = new Map<string, number>();
    for (const finding of open) counts.set(by(finding), (counts.get(by(finding)) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  const unknowns = engine.unknowns();
  return {
    version: 1,
    cluster,
    asOf: engine.now,
    sources: auditSources(engine),
    pairing: pairingReport(engine.pairing(), cutLists(engine.world)),
    findings,
    unknowns: [...unknowns],
    summary: {
      findings: open.length,
      suppressed: findings.length - open.length,
      byClass: count((it) => it.class),
      bySeverity: count((it) => it.severity),
      byRule: count((it) => it.rule),
      unknowns: unknowns.length,
    },
  };
}

/** Each source, and what it holds and lacks. */
export function auditSources(engine: AnalyzedCluster): AuditSource[] {
  const streams = engine.streams();
  return [...new Set(streams.map((it) => it.source))].sort().map((source) =>
    sourceOf(
      engine,
      source,
      streams.filter((it) => it.source === source),
    ),
  );
}

function sourceOf(engine: AnalyzedCluster, id: string, streams: Streams): AuditSource {
  const kinds = streams
    .flatMap((stream) =>
      kindsOf(engine, stream).map((kind) => ({
        kind,
        state: stream.completeness.state,
        count: engine.world.count(kind),
        ...(stream.completeness.state === 'unavailable'
          ? { reason: stream.completeness.reason, detail: stream.completeness.detail }
          : {}),
      })),
    )
    .sort((a, b) => compare(a.kind, b.kind));
  const asOf =
    streams
      .map((it) => it.observedThrough)
      .filter((it) => it !== '')
      .sort()
      .at(-1) ?? null;
  return {
    id,
    complete: streams.every(
      (it) =>
        it.completeness.state === 'complete' ||
        notInstalled(engine, it.kinds) ||
        !isNeeded(engine, it),
    ),
    asOf,
    counts: Object.fromEntries(
      kinds
        .filter((it) => it.count > 0 || it.state === 'complete')
        .map((it) => [it.kind, it.count]),
    ),
    kinds,
  };
}

/** The Northbound stream names all tables of the schema; a Kubernetes stream is one kind even before it was listed. */
const kindsOf = (engine: AnalyzedCluster, stream: Streams[number]): readonly string[] =>
  stream.source === 'kubernetes'
    ? [stream.stream.slice('kubernetes/'.length)]
    : stream.kinds.length > 0
      ? stream.kinds
      : [...engine.world.kinds()].filter((it) => !kubernetesKind(it));

/** Kinds no rule depends on may be missing: rules that consult them say what they could not tell. */
const isNeeded = (engine: AnalyzedCluster, stream: Streams[number]): boolean =>
  stream.source === 'ovn-nb' || kindsOf(engine, stream).some((it) => NEEDED_KINDS.has(it));

/** What some rule must know in full before it says anything. */
export const NEEDED_KINDS: ReadonlySet<string> = new Set(
  RULES.flatMap((it) => [it.subject, ...it.reads]),
);

const notInstalled = (engine: AnalyzedCluster, kinds: readonly string[]): boolean =>
  kinds.length > 0 && kinds.every((it) => engine.world.notInstalled(it));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
