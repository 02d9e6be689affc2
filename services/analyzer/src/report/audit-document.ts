import { compareValues } from '@ovn-steward/shared/compare';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { isOpen } from '@ovn-steward/client';
import type { AnalyzedCluster } from '../partition/analyzed-cluster';
import { pairingReport } from './pairing-report';
import { cutLists } from '@ovn-steward/judgement/rule-kit/cut-lists';
import { auditSources } from '../status/audit-sources';

const SEVERITIES = ['critical', 'warning', 'info'];

/** What is known of a cluster, before it is put in order and counted. */
export type KnownContents = Omit<AuditDocument, 'version' | 'summary'>;

/**
 * What an engine knows now, as the public document: sources with what they hold and lack, findings,
 * and what could not be judged.
 */
export const auditDocument = (engine: AnalyzedCluster, cluster: string): AuditDocument =>
  documentOf({
    cluster,
    asOf: engine.now,
    sources: auditSources(engine),
    pairing: pairingReport(engine.pairing(), cutLists(engine.world)),
    findings: [...engine.findings()],
    unknowns: [...engine.unknowns()],
  });

/**
 * The document of these contents: the findings by severity, rule and summary, and the numbers of
 * all.
 */
export function documentOf(known: KnownContents): AuditDocument {
  const findings = [...known.findings].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      compareValues(a.rule, b.rule) ||
      compareValues(a.summary, b.summary) ||
      compareValues(a.id, b.id),
  );
  const open = findings.filter(isOpen);
  const count = (by: (it: (typeof findings)[number]) => string): Record<string, number> => {
    const counts = new Map<string, number>();
    for (const finding of open) counts.set(by(finding), (counts.get(by(finding)) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  const { cluster, asOf, sources, pairing, unknowns } = known;
  return {
    version: 1,
    cluster,
    asOf,
    sources,
    pairing,
    findings,
    unknowns,
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
