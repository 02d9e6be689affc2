import { join } from 'node:path';
import { Checkpoint, Analyzer } from '@ovn-steward/analyzer';
import {
  collectIntoLog,
  createOvnFileSource,
  kubernetesRecording,
  sqliteMirror,
} from '@ovn-steward/collector';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { type Churn, churning } from './churning';

const CLUSTER = 'bench';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);

/** Files, and where state may lie. */
export interface OneProcess {
  readonly northbound: string;
  readonly kubernetes: string;
  readonly folder: string;
}

export interface RunningProcess {
  /**
   * Settles when everything in the log now was judged, and what it brought about published; gives
   * how many records that are since its beginning.
   */
  judged(): Promise<number>;
  /** Records in the log that were not judged yet. */
  lag(): Promise<number>;
  findings(): readonly Finding[];
  /** Settles when the sources have ended. */
  readonly collected: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Collector, log and analyzer in this process, as `steward run` has them, on files that are read as
 * they are and then change.
 */
export async function startOneProcess(
  { northbound, kubernetes, folder }: OneProcess,
  churn: Churn,
): Promise<RunningProcess> {
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  const end = new AbortController();
  let position = 0n;
  let moved = (): void => undefined;
  const analyzer = new Analyzer({
    log,
    version: '0.0.0',
    grace: Settings.parse({ cluster: CLUSTER }).grace,
    clock: () => new Date(),
    only: CLUSTER,
    openCheckpoint: (partition) => new Checkpoint(join(folder, 'analyzer.db'), partition),
    onBatch: ({ next }) => {
      position = next;
      moved();
    },
  });
  const analyzing = analyzer.run(end.signal);
  const sources = [
    createOvnFileSource({ id: 'ovn-nb', path: northbound }),
    kubernetesRecording({ path: kubernetes, replay: 'final' }),
  ];
  const collected = collectIntoLog(
    {
      cluster: CLUSTER,
      sources: sources.map((it) => churning(it, churn)),
      mirror: sqliteMirror(join(folder, 'collector.db')),
      log,
      clock: () => new Date(),
    },
    end.signal,
  );
  const high = async (): Promise<bigint> => (await log.watermarks(CHANGES, PARTITION)).high;
  return {
    async judged() {
      const upTo = await high();
      await new Promise<void>((resolve) => {
        moved = () => {
          if (position >= upTo) resolve();
        };
        moved();
      });
      return Number(upTo);
    },
    lag: async () => Number((await high()) - position),
    findings: () => analyzer.picture(CLUSTER)?.findings() ?? [],
    collected,
    async stop() {
      end.abort();
      await Promise.allSettled([collected, analyzing]);
      await log.close();
    },
  };
}
