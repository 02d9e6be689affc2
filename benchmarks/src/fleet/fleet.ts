import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { inNewFolder } from '../in-new-folder';
import { roundTo } from '../round-to';
import { allJudged } from './all-judged';
import { type Analyzers, startAnalyzers } from './analyzers';
import { type ReadSource, startFleetCluster, type FleetCluster } from './fleet-cluster';
import { forgetGroup } from './forget-group';
import { readWorld } from './read-world';
import { withKafkaLog } from './with-kafka-log';

export interface FleetOptions {
  readonly clusters: number;
  /** Of each cluster. */
  readonly ports: number;
  readonly analyzers: number;
}

/** Many clusters on one broker. */
interface FleetFigures extends FleetOptions {
  readonly records: number;
  /** From the first record appended to the last one judged, with all analyzers. */
  readonly secondsToFindings: number;
  /** Records a second of analyzers that begin with nothing, by how many they are. */
  readonly eventsPerSecond: Readonly<Record<string, number>>;
  /** Heap and buffers of all analyzers, with the clusters over without, for each. */
  readonly mibPerIdleCluster: number;
  /**
   * From a change to its batch judged and published, 99th percentile: while all are quiet; beside a
   * noisy cluster on the partitions of others, and on its own.
   */
  readonly quietP99Seconds: number;
  readonly besideNoisyP99Seconds: number;
  readonly withNoisyP99Seconds: number;
  /** Changes a second of the noisy one meanwhile. */
  readonly noisyEventsPerSecond: number;
  /** From the death of an analyzer until the last of its partitions is judged by another. */
  readonly takeoverSeconds: number;
}

const STARTING_AT_ONCE = 8;
/** Clusters whose delays are measured. */
const OBSERVED = 24;
const PHASE_MS = 15_000;
const EVERY_MS = 1000;
const NOISE = 500;

/** What was appended: up to where, and when that began; milliseconds since 1970. */
interface Appended {
  readonly partition: number;
  readonly next: bigint;
  readonly at: number;
}

export function benchFleet(options: FleetOptions): Promise<FleetFigures> {
  return inNewFolder((folder) =>
    withKafkaLog('bench-fleet-collectors', async (log, brokers) => {
      const clusters: FleetCluster[] = [];
      try {
        const sources = await readWorld(join(folder, 'world'), options.ports);
        return await measure({ options, folder, brokers, log, sources, clusters });
      } finally {
        await Promise.all(clusters.map((it) => it.end()));
      }
    }),
  );
}

interface Bench {
  readonly options: FleetOptions;
  readonly folder: string;
  readonly brokers: readonly string[];
  readonly log: Log;
  readonly sources: readonly ReadSource[];
  readonly clusters: FleetCluster[];
}

async function measure(bench: Bench): Promise<FleetFigures> {
  const { options, folder, brokers, log } = bench;
  const analyzers = await startAnalyzers(options.analyzers, brokers, join(folder, 'first'));
  const appended: Appended[] = [];
  const timed: Pick<Log, 'append'> = {
    append: async (topic, partition, records) => {
      const at = Date.now();
      const ack = await log.append(topic, partition, records);
      if (topic === CHANGES) appended.push({ partition, next: ack.next, at });
      return ack;
    },
  };
  try {
    await analyzers.allHeld();
    comment('all partitions are held');
    const before = await analyzers.heapMiB();
    const began = Date.now();
    await startAll(bench, timed);
    comment(`${options.clusters} clusters are read in full`);
    const records = await allJudged(log, analyzers);
    const secondsToFindings = (Date.now() - began) / 1000;
    comment(`${records} records of ${options.clusters} clusters judged`);
    const mibPerIdleCluster = ((await analyzers.heapMiB()) - before) / options.clusters;

    const [noisy, ...others] = bench.clusters as [FleetCluster, ...FleetCluster[]];
    const observed = others.slice(0, OBSERVED);
    const quiet = await delaysOf(observed, analyzers, appended);
    const noise = await withNoise(noisy, log, () => delaysOf(observed, analyzers, appended));
    const takeoverSeconds = await takeOver(observed, analyzers);
    await analyzers.stop();
    const isOn = (partition: number) => partition === noisy.partition;
    const { ports, clusters, analyzers: count } = options;
    return {
      ports,
      clusters,
      analyzers: count,
      records,
      secondsToFindings: roundTo(secondsToFindings, 1),
      eventsPerSecond: await byAnalyzers(bench),
      mibPerIdleCluster: roundTo(mibPerIdleCluster, 2),
      quietP99Seconds: p99(quiet, () => true),
      besideNoisyP99Seconds: p99(noise.delays, (it) => !isOn(it)),
      withNoisyP99Seconds: p99(noise.delays, isOn),
      noisyEventsPerSecond: Math.round(noise.perSecond),
      takeoverSeconds: roundTo(takeoverSeconds, 1),
    };
  } finally {
    await analyzers.stop();
  }
}

async function startAll(
  { options, log: _, sources, clusters }: Bench,
  log: Pick<Log, 'append'>,
): Promise<void> {
  const names = Array.from({ length: options.clusters }, (__, nth) => `cluster-${nth + 1}`);
  const next = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const cluster = startFleetCluster(name, sources, log);
      clusters.push(cluster);
      await cluster.read;
    }
  };
  await Promise.all(Array.from({ length: STARTING_AT_ONCE }, next));
}

interface Delay {
  readonly partition: number;
  readonly seconds: number;
}

/** One change a second of each, for a while; from the append's begin to the batch that has it. */
async function delaysOf(
  clusters: readonly FleetCluster[],
  analyzers: Analyzers,
  appended: Appended[],
): Promise<readonly Delay[]> {
  const partitions = new Set(clusters.map((it) => it.partition));
  appended.length = 0;
  for (let at = 0; at < PHASE_MS; at += EVERY_MS) {
    for (const it of clusters) it.change(1);
    await sleep(EVERY_MS);
  }
  const ours = appended.filter((it) => partitions.has(it.partition));
  return Promise.all(
    ours.map(async ({ partition, next, at }) => {
      const judged = await analyzers.until(
        (it) => it.partition === partition && BigInt(it.next) >= next,
      );
      return { partition, seconds: (judged.at - at) / 1000 };
    }),
  );
}

/** One cluster changes as fast as the log takes it. */
async function withNoise<T>(
  noisy: FleetCluster,
  log: Log,
  work: () => Promise<T>,
): Promise<{ readonly delays: T; readonly perSecond: number }> {
  const high = async (): Promise<number> =>
    Number((await log.watermarks(CHANGES, noisy.partition)).high);
  const before = await high();
  const began = Date.now();
  const timer = setInterval(() => noisy.change(NOISE), 100);
  try {
    const delays = await work();
    return { delays, perSecond: ((await high()) - before) / ((Date.now() - began) / 1000) };
  } finally {
    clearInterval(timer);
  }
}

/** Kills the analyzer that has the first cluster, while all go on changing. */
async function takeOver(clusters: readonly FleetCluster[], analyzers: Analyzers): Promise<number> {
  const dead = analyzers.newest.get(clusters[0]!.partition)!.by;
  const used = new Set(clusters.map((it) => it.partition));
  const its = [...analyzers.newest.values()].filter((it) => it.by === dead);
  const timer = setInterval(() => clusters.forEach((it) => it.change(1)), EVERY_MS);
  try {
    const at = await analyzers.kill(dead);
    const taken = await Promise.all(
      its
        .filter((it) => used.has(it.partition))
        .map(({ partition }) =>
          analyzers.until((it) => it.partition === partition && it.by !== dead && it.at > at),
        ),
    );
    return Math.max(...taken.map((it) => it.at - at)) / 1000;
  } finally {
    clearInterval(timer);
  }
}

/** How fast one analyzer, and all of them, judge the whole log when they begin with nothing. */
async function byAnalyzers({
  options,
  folder,
  brokers,
  log,
}: Bench): Promise<Readonly<Record<string, number>>> {
  const figures: Record<string, number> = {};
  for (const count of [...new Set([1, 2, options.analyzers])]) {
    await forgetGroup(brokers);
    const analyzers = await startAnalyzers(count, brokers, join(folder, `of-${count}`));
    try {
      await analyzers.until(() => true); // loaded, and a member of the group
      const began = Date.now();
      const records = await allJudged(log, analyzers);
      figures[count] = Math.round(records / ((Date.now() - began) / 1000));
      comment(`${count} analyzers judge ${figures[count]} records a second`);
    } finally {
      await analyzers.stop();
    }
  }
  return figures;
}

function p99(delays: readonly Delay[], of: (partition: number) => boolean): number {
  const sorted = delays
    .filter((it) => of(it.partition))
    .map((it) => it.seconds)
    .sort((a, b) => a - b);
  return roundTo(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? NaN, 3);
}

const comment = (text: string): void => void process.stderr.write(`${text}\n`);
