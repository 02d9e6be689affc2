import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingId } from '@ovn-steward/contracts/identity/ids';
import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

export const CLUSTER = 'berlin-1';
export const PARTITION = partitionOf(CLUSTER, PARTITIONS);
export const NOW = new Date('2026-03-02T10:20:00.000Z');

/**
 * A confirmed finding about the port of that name, with a remedy; `more` says what is different
 * about it.
 */
export function finding(port: string, more: Partial<Finding> = {}): Finding {
  const subject = {
    source: 'ovn-nb',
    kind: 'Logical_Switch_Port',
    name: port,
    uid: `uid-${port}`,
  } as const;
  const rule = more.rule ?? 'orphaned-logical-switch-port';
  return {
    id: findingId(more.cluster ?? CLUSTER, rule, subject),
    cluster: CLUSTER,
    rule,
    class: 'garbage',
    severity: 'warning',
    state: 'confirmed',
    revision: 2,
    subject,
    concerns: [],
    owner: {
      owner: 'kube-ovn',
      verdict: 'candidate',
      confidence: 3,
      evidence: ['external_ids vendor=kube-ovn'],
    },
    summary: `Logical_Switch_Port ${port} belongs to nobody.`,
    proof: [{ fact: 'unchanged', subject }],
    remedy: { action: 'delete-logical-switch-port', target: subject, advice: 'Remove the port.' },
    firstSeen: NOW.toISOString(),
    lastSeen: NOW.toISOString(),
    confirmedAt: NOW.toISOString(),
    resolvedAt: null,
    ...more,
  };
}

/** As the analyzer publishes it. */
export const published = (found: Finding): NewRecord => ({
  key: found.id,
  value: JSON.stringify(findingEvent(found)),
  timestamp: NOW.getTime(),
});

/** As the log gives it back. */
export const recordOf = (
  { key, value, headers = {}, timestamp }: NewRecord,
  offset = 0n,
): LogRecord => ({
  offset,
  key,
  value: value === null ? null : Buffer.from(value),
  headers,
  timestamp,
});
