import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import {
  ANALYZER_HEADER,
  CHANGES_HEADER,
  lastOf,
} from '@ovn-steward/contracts/findings/finding-origin';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { FINDINGS } from '@ovn-steward/shared/log/topics';

const READ_BATCH = 500;

/** What the findings topic says in one partition. */
export interface PublishedFindings {
  /** Every finding in its newest revision. */
  readonly findings: readonly Finding[];
  /**
   * Newest revisions behind which an older one was written, by an analyzer that did not know yet
   * that it had lost the partition.
   */
  readonly overtaken: readonly { readonly id: string; readonly value: string }[];
  /** Where the topic goes on. */
  readonly next: bigint;
  /**
   * The findings of all changes before this offset are there, but for some of the last batch;
   * undefined when no record says so.
   */
  readonly through: bigint | undefined;
}

/**
 * Reads the findings back, so that first-seen times, suspicions and revisions survive a lost
 * checkpoint; those of a later version, too. What stands under a key or in a partition that is not
 * its own is not ours (the executor sets it aside).
 * @param only leaves out other clusters.
 */
export async function readPublished(
  log: Log,
  partition: number,
  only?: string,
): Promise<PublishedFindings> {
  const best = new Map<string, { finding: Finding; value: string; overtaken: boolean }>();
  let through: bigint | undefined;
  const next = await eachRecord(log, partition, 0n, (record) => {
    const last = lastOf(record.headers[CHANGES_HEADER], partition);
    if (last !== undefined && (through === undefined || last >= through)) through = last + 1n;
    const read = decodeFinding(partition, record);
    if ('forgotten' in read) best.delete(read.forgotten);
    if (!('finding' in read)) return;
    const { finding } = read;
    const known = best.get(finding.id);
    if (known && known.finding.revision > finding.revision) known.overtaken = true;
    else best.set(finding.id, { finding, value: String(record.value), overtaken: false });
  });
  const wanted = [...best.values()].filter(
    ({ finding }) => only === undefined || finding.cluster === only,
  );
  return {
    findings: wanted.map((it) => it.finding),
    overtaken: wanted
      .filter((it) => it.overtaken)
      .map(({ finding, value }) => ({ id: finding.id, value })),
    next,
    through,
  };
}

/** Whether anybody but this analyzer wrote to the findings topic since. */
export async function othersPublished(
  log: Log,
  partition: number,
  since: bigint,
  analyzer: string,
): Promise<boolean> {
  let others = false;
  await eachRecord(log, partition, since, (record) => {
    others ||= record.headers[ANALYZER_HEADER] !== analyzer;
  });
  return others;
}

/** Returns where the topic goes on. */
async function eachRecord(
  log: Log,
  partition: number,
  from: bigint,
  visit: (record: LogRecord) => void,
): Promise<bigint> {
  const { high } = await log.watermarks(FINDINGS, partition);
  let next = from;
  while (next < high) {
    const batch = await log.read(FINDINGS, partition, next, READ_BATCH);
    batch.records.forEach(visit);
    if (batch.next <= next) break;
    next = batch.next;
  }
  return next > high ? next : high;
}
