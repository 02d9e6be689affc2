import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Checkpoint, Analyzer } from '@ovn-steward/analyzer';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';

/** What an analyzer of the fleet is given at its start. */
export interface FleetAnalyzer {
  readonly brokers: readonly string[];
  /** A folder of its own. */
  readonly folder: string;
}

/** A partition was taken up, or judged up to there; when, by the clock on the wall. */
export interface Judged {
  readonly partition: number;
  readonly next: string;
  readonly at: number;
}

export type AnalyzerReport = { readonly judged: Judged } | { readonly heapMiB: number };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const report = (it: AnalyzerReport): void => void process.send?.(it);

async function main({ brokers, folder }: FleetAnalyzer): Promise<void> {
  const judged = (partition: number, next: bigint): void =>
    report({ judged: { partition, next: String(next), at: Date.now() } });
  const log = openKafkaLog({ brokers, clientId: 'bench-fleet', replicationFactor: 1 });
  await log.ensureTopics(TOPICS);
  const analyzer = new Analyzer({
    log,
    grace: Settings.parse({ cluster: 'fleet' }).grace,
    version: '0.0.0',
    clock: () => new Date(),
    openCheckpoint: (partition) =>
      new Checkpoint(join(folder, `analyzer-${partition}.db`), partition),
    onBatch: ({ partition, next }) => judged(partition, next),
    onEvent: (event) => {
      if (event.type === 'failed') process.stderr.write(`an analyzer failed: ${event.error}\n`);
      if (event.type === 'partition-opened') judged(event.partition, event.position);
    },
  });
  process.on('message', () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    report({ heapMiB: (heapUsed + external) / 2 ** 20 });
  });
  await analyzer.run(new AbortController().signal);
}

main(JSON.parse(process.argv[2] ?? '') as FleetAnalyzer).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
