import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { FindingsTable, knowledgeOf, type SourceKnowledge } from '@ovn-steward/client';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { decodeStatus } from '@ovn-steward/contracts/status/status-codec';
import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { eachRecord, type StoredTopicRecord } from '@ovn-steward/shared/log/sqlite-topic-history';
import { FINDINGS, STATUS } from '@ovn-steward/shared/log/topics';
import type { Channel } from './decisions';
import { openLog } from './log';
import { doubtAboutServer } from './source-doubt';
import type { StewardServer } from './steward-server';
import { FILES } from './state-files';

const MAX_RECORDS = 1000;

/** What is known of a cluster at one moment. */
export interface KnownNow {
  /** Resolved and suppressed ones among them. */
  readonly findings: readonly Finding[];
  /** How far each source is known; empty where nobody says so. */
  readonly sources: readonly SourceKnowledge[];
  /** Where a server says nothing of its sources: why its list is not all, in a sentence. */
  readonly doubt?: string;
}

/** Findings that can be read again. */
export interface FollowedFindings {
  /** @throws Failure as reading a log does. */
  read(): Promise<KnownNow>;
  close(): Promise<void>;
}

/**
 * The findings of a cluster, and how far its sources are known. From Kafka each reading takes only
 * what came since the last. A folder holds one cluster, whatever it is called.
 */
export function followedFindings(channel: Channel): FollowedFindings {
  const { server, stateDir, cluster } = channel;
  if (server !== undefined)
    return {
      read: () => onServer(server, cluster),
      close: () => Promise.resolve(),
    };
  if (stateDir !== undefined)
    return { read: () => Promise.resolve(inFolder(stateDir)), close: () => Promise.resolve() };
  return onKafka(channel);
}

async function onServer({ url, knowledge }: StewardServer, cluster: string): Promise<KnownNow> {
  const known = knowledge(cluster);
  // In this order for the reason that `knownBeside` gives.
  const sources = await known.sources();
  const findings = await known.findings();
  return sources === undefined
    ? { findings, sources: [], doubt: doubtAboutServer(url) }
    : { findings, sources };
}

function inFolder(stateDir: string): KnownNow {
  const log = join(stateDir, FILES.log);
  return knownBeside({
    statuses: (visit) => (existsSync(log) ? eachRecord(log, STATUS, visit) : undefined),
    findings: () => readCheckpoint(join(stateDir, FILES.checkpoint)).findings,
  });
}

/** The memory of a pipeline, which moves on between two readings. */
interface MovingMemory {
  /** Visits each record of the topic of statuses. */
  readonly statuses: (visit: (it: StoredTopicRecord) => void) => void;
  readonly findings: () => readonly Finding[];
}

/**
 * What is known beside a pipeline that runs. The statuses are read first: what a status is about is
 * in the checkpoint before the status is published, and so in findings that are read later. The
 * other way round, a status could vouch for findings that were not read.
 */
export function knownBeside({ statuses, findings }: MovingMemory): KnownNow {
  const known = new Map<string, SourceStatus>();
  statuses((it) => takeStatus(known, it.partition, it));
  const sources = [...known.values()].map((it) => knowledgeOf(it, BigInt(it.findingsThrough)));
  return { findings: findings(), sources };
}

function onKafka({ cluster, partition, options }: Channel): FollowedFindings {
  const table = new FindingsTable(decodeFinding);
  const statuses = new Map<string, SourceStatus>();
  const next = { [STATUS]: 0n, [FINDINGS]: 0n };
  let opened: Promise<Log> | undefined;
  const readOn = async (
    topic: typeof STATUS | typeof FINDINGS,
    take: (record: LogRecord) => void,
  ): Promise<void> => {
    const log = await (opened ??= openLog(options));
    for (;;) {
      const batch = await log.read(topic, partition, next[topic], MAX_RECORDS);
      batch.records.forEach(take);
      if (batch.records.length === 0 && batch.next === next[topic]) return;
      next[topic] = batch.next;
    }
  };
  return {
    async read() {
      await readOn(STATUS, (it) => takeStatus(statuses, partition, it));
      await readOn(FINDINGS, (it) => void table.take(partition, it));
      return {
        findings: table.findings().filter((it) => it.cluster === cluster),
        sources: [...statuses.values()]
          .filter((it) => it.cluster === cluster)
          .map((it) => knowledgeOf(it, next[FINDINGS])),
      };
    },
    close: async () => (await opened)?.close(),
  };
}

function takeStatus(
  statuses: Map<string, SourceStatus>,
  partition: number,
  record: Pick<LogRecord, 'key' | 'value'>,
): void {
  const read = decodeStatus(partition, record);
  if ('forgotten' in read) statuses.delete(read.forgotten);
  if ('status' in read) statuses.set(record.key, read.status);
}
