import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@ovn-steward/shared/log/log';
import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { inNewFolder } from '../in-new-folder';
import { roundTo } from '../round-to';
import { allJudged } from './all-judged';
import { type Analyzers, startAnalyzers } from './analyzers';
import { startFleetCluster } from './fleet-cluster';
import { forgetGroup } from './forget-group';
import { readWorld } from './read-world';
import { withKafkaLog } from './with-kafka-log';

export interface RebuildOptions {
  readonly ports: number;
  /** After the cluster was read in full. */
  readonly changes: number;
}

/** An analyzer that lost its state, and finds what it had found. */
interface RebuildFigures extends RebuildOptions {
  /** Of the log, all read again. */
  readonly records: number;
  /** From the first record that is read to the last one judged and its findings published. */
  readonly rebuildSeconds: number;
  readonly eventsPerSecond: number;
  /** The same of an analyzer that judged them as they came, over the rebuild's. */
  readonly ratioToLive: number;
  readonly findings: number;
}

const CLUSTER = 'cluster-1';
/** Changes that are on their way to the log at once. */
const UNDER_WAY = 20_000;
const STEP = 5000;

/**
 * The changes of one cluster, judged as they come by one analyzer; then by another that has nothing
 * but the log.
 * @throws Error where a finding is not the same byte for byte.
 */
export const benchRebuild = (options: RebuildOptions): Promise<RebuildFigures> =>
  inNewFolder((folder) =>
    withKafkaLog('bench-rebuild-collector', async (log, brokers) => {
      const live = await startAnalyzers(1, brokers, join(folder, 'live'));
      const fromLive = performance.now();
      await publish(options, join(folder, 'world'), log);
      const records = await judgedBy(live, log);
      const liveSeconds = (performance.now() - fromLive) / 1000;
      comment(`${records} records judged as they came in ${liveSeconds.toFixed(0)} s`);
      const before = await findingsIn(log);

      await forgetGroup(brokers);
      const anew = await startAnalyzers(1, brokers, join(folder, 'anew'));
      await anew.until(() => true); // loaded, and a member of the group
      const fromAnew = performance.now();
      await judgedBy(anew, log);
      const rebuildSeconds = (performance.now() - fromAnew) / 1000;
      requireSame(before, await findingsIn(log));
      return {
        ports: options.ports,
        changes: options.changes,
        records,
        rebuildSeconds: roundTo(rebuildSeconds, 1),
        eventsPerSecond: Math.round(records / rebuildSeconds),
        ratioToLive: roundTo(liveSeconds / rebuildSeconds, 2),
        findings: before.size,
      };
    }),
  );

/** A cluster is read in full, and then changes as fast as the log takes it. */
async function publish({ ports, changes }: RebuildOptions, world: string, log: Log): Promise<void> {
  let appended = 0;
  const counted: Pick<Log, 'append'> = {
    append: async (topic, partition, records) => {
      const ack = await log.append(topic, partition, records);
      appended += records.length;
      return ack;
    },
  };
  const cluster = startFleetCluster(CLUSTER, await readWorld(world, ports), counted);
  try {
    await cluster.read;
    const read = appended;
    for (let made = 0; made < changes; made += STEP) {
      cluster.change(Math.min(STEP, changes - made));
      while (made + STEP - (appended - read) > UNDER_WAY) await sleep(10);
    }
    while (appended - read < changes) await sleep(10);
  } finally {
    await cluster.end();
  }
}

/** Waits for them to judge all, and ends them. @returns how many records there are. */
async function judgedBy(analyzers: Analyzers, log: Log): Promise<number> {
  try {
    return await allJudged(log, analyzers);
  } finally {
    await analyzers.stop();
  }
}

/** The newest record of each finding, as its bytes. */
async function findingsIn(log: Log): Promise<ReadonlyMap<string, string>> {
  const findings = new Map<string, string>();
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const { low, high } = await log.watermarks(FINDINGS, partition);
    for (let from = low; from < high;) {
      const { records, next } = await log.read(FINDINGS, partition, from, 1000);
      for (const { key, value } of records) findings.set(key, String(value));
      from = next;
    }
  }
  return findings;
}

function requireSame(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void {
  const keys = new Set([...before.keys(), ...after.keys()]);
  const [other] = [...keys].filter((it) => before.get(it) !== after.get(it));
  if (other !== undefined)
    throw new Error(
      `finding ${other} is not what it was: ${before.get(other) ?? 'none'} and ${after.get(other) ?? 'none'}`,
    );
}

const comment = (text: string): void => void process.stderr.write(`${text}\n`);
