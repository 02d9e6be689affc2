import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

/** Heap of an idle cluster of 1,000 ports, and what it publishes (benchmarks/README.md, fleet). */
const CLUSTER = { mib: 3, objects: 3220, changesADay: 86_400, recordBytes: 1110 };
/** That an analyzer judges, each second. */
const RECORDS_A_SECOND = 10_000;

/**
 * What fleets of so many clusters need that change once a second, for docs/sizing.md. Which
 * partition a cluster is in comes from its name: `cluster-1` and so on.
 */
export const fleetTable = (): string =>
  [
    `| Clusters | In one partition | Heap of an analyzer for them | Records a second, each analyzer | Kafka, one copy | One partition read anew at ${RECORDS_A_SECOND.toLocaleString('en')} records a second |`,
    '|---|---|---|---|---|---|',
    ...[100, 1000, 10_000].map(fleetRow),
  ].join('\n');

function fleetRow(clusters: number): string {
  const inPartition = Array.from({ length: PARTITIONS }, () => 0);
  for (let nth = 1; nth <= clusters; nth += 1)
    inPartition[partitionOf(`cluster-${nth}`, PARTITIONS)]! += 1;
  const least = Math.min(...inPartition);
  const most = Math.max(...inPartition);
  const records = CLUSTER.objects + CLUSTER.changesADay;
  const cells = [
    clusters.toLocaleString('en'),
    `${least} to ${most}`,
    sizeText(most * CLUSTER.mib),
    Math.round(clusters / PARTITIONS),
    `${Math.round((clusters * records * CLUSTER.recordBytes) / 1e9)} GB`,
    durationText((most * records) / RECORDS_A_SECOND),
  ];
  return `| ${cells.join(' | ')} |`;
}

const sizeText = (mib: number): string =>
  mib < 100 ? `${mib} MiB` : `${(mib / 1024).toFixed(1)} GiB`;

const durationText = (seconds: number): string =>
  seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
