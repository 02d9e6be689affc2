import { join } from 'node:path';
import { type CatchingUp, catchingUp } from '@ovn-steward/service/kafka/catching-up';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Service, Shell } from '@ovn-steward/service/service';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { z } from 'zod';
import { type Analyzer, createAnalyzer } from '../partition/analyze';
import { SHARED_METRICS, showPictures } from './metrics';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { sourcesOf } from '../report/audit-document';
import { clusterStatus } from '../report/cluster-status';
import type { ClusterView } from '../report/findings-page';
import { FINDINGS_SCHEMAS, findingsRoutes } from '../report/findings-routes';
import { readinessOf } from '../report/readiness';
import { ClusterStatus } from '../report/schemas';
import { Checkpoint } from '../store/checkpoint';
import { clusterClock } from './cluster-clock';
import { reportAnalysis } from './report-analysis';

/** How often the ends of the partitions are asked for. */
const LOOK_EVERY_MS = 5000;
/** A Kubernetes server that sends no bookmarks is heard of only when a watch ends, after five minutes at most. */
const STALE_AFTER_MS = 360_000;
/** What a cluster's collector is to tell of. */
const EXPECTED = {
  streams: ['ovn-nb', ...KUBERNETES_KINDS.map((it) => kubernetesStream(it.kind))],
  staleAfterMs: STALE_AFTER_MS,
};
const SOURCES = ['kubernetes', 'ovn-nb'];

const AnalyzerStatus = z.object({
  partitions: z.array(
    z.object({
      partition: z.number().int(),
      position: z.string().describe('Where reading goes on; a whole number.'),
      lag: z
        .number()
        .int()
        .nullable()
        .describe('Offsets to the end; null while that is not known.'),
      caughtUp: z.boolean().describe('Whether it was read to where it ended when it was given.'),
    }),
  ),
  clusters: z.array(ClusterStatus),
});

/** The analyzer as a service: shares the partitions of the changes with its like, and shows what it knows of the clusters in those it has. */
export function analyzerService(shell: Shell): Service {
  const { settings, meter } = shell;
  const clock = clusterClock();
  let analyzer: Analyzer | undefined;
  let serviceLog: ServiceLog | undefined;
  let progress: CatchingUp | undefined;

  const clustersOf = (partition: number): string[] =>
    (analyzer?.clusters() ?? []).filter((it) => partitionOf(it, PARTITIONS) === partition);
  const views = (): readonly ClusterView[] =>
    (analyzer?.clusters() ?? [])
      .flatMap((cluster): ClusterView[] => {
        const picture = analyzer?.picture(cluster);
        if (!picture) return [];
        const streams = picture.streams();
        clock.look(cluster, streams);
        const now = clock.now(cluster);
        const known = { streams, notInstalled: (kind: string) => picture.world.notInstalled(kind) };
        return [
          { cluster, picture, ready: now !== undefined && readinessOf(known, EXPECTED, now).ready },
        ];
      })
      .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));

  meter.onScrape(() => {
    showPictures(
      meter,
      new Map(
        views().map(({ cluster, picture }) => [
          cluster,
          {
            picture,
            sources: sourcesOf(picture),
            expected: SOURCES,
            now: clock.now(cluster) ?? Date.now(),
          },
        ]),
      ),
    );
    meter.set(SHARED_METRICS.partitions, {}, analyzer?.partitions().length ?? 0);
    meter.reset(SHARED_METRICS.lag);
    for (const [partition, lag] of progress?.lags() ?? [])
      meter.set(SHARED_METRICS.lag, { partition: String(partition) }, lag);
  });

  return {
    async work(signal, opened) {
      const open = privateFolder(settings.stateDir);
      if (open !== undefined) shell.logger.warn('state directory open to others', { reason: open });
      const it = (serviceLog = openServiceLog(shell));
      opened('log', () => it.log.close());
      await it.ensure(signal);
      const looking = (progress = catchingUp({
        watermarks: (partition) => it.log.watermarks(CHANGES, partition),
        position: (partition) => analyzer?.position(partition),
        onCaughtUp: (partition) => {
          clock.forget(clustersOf(partition));
          shell.logger.info('partition caught up', { partition });
        },
      }));
      analyzer = createAnalyzer({
        log: it.log,
        clock: () => new Date(),
        grace: settings.grace,
        isProtected: protectionOf(settings.protect),
        uninstalled: settings.uninstalled,
        openCheckpoint: (partition) =>
          new Checkpoint(join(settings.stateDir, `analyzer-${partition}.db`), partition),
        ...reportAnalysis(shell, looking, (partition) => {
          for (const cluster of clustersOf(partition))
            clock.look(cluster, analyzer?.picture(cluster)?.streams() ?? []);
        }),
      });
      const timer = setInterval(() => void looking.look(), LOOK_EVERY_MS);
      await analyzer.run(signal).finally(() => clearInterval(timer));
    },
    missing: () => [
      ...(serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(progress?.missing() ?? []),
    ],
    stuck: () => progress?.stuck(),
    statusSchema: AnalyzerStatus,
    status: () => ({
      partitions: (analyzer?.partitions() ?? []).map((partition) => ({
        partition,
        position: String(analyzer?.position(partition) ?? 0),
        lag: progress?.lags().get(partition) ?? null,
        caughtUp: progress?.isCaughtUp(partition) ?? false,
      })),
      clusters: views().map(clusterStatus),
    }),
    routes: findingsRoutes(views),
    schemas: { ...FINDINGS_SCHEMAS, ClusterStatus },
  };
}
