import { ascendingBy } from '@ovn-steward/shared/compare';
import { Inject, Injectable } from '@nestjs/common';
import { CatchingUp, refreshing, showLags } from '@ovn-steward/service/kafka/catching-up';
import { followedPartition } from '@ovn-steward/service/kafka/followed-partition';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Lack } from '@ovn-steward/service/work/lack';
import {
  type Opened,
  type ServiceRuntime,
  SHELL,
  type Shell,
} from '@ovn-steward/service/work/service';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { KUBERNETES_STREAMS } from '@ovn-steward/shared/kinds';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { SHARED_ANALYZER_METRICS, showPictures } from './metrics';
import { provenDecisions } from '../decided/proven-decisions';
import { auditSources } from '../status/audit-sources';
import type { ClusterView } from '../report/findings-page';
import { readinessOf, STALE_AFTER_MS } from '../report/readiness';
import { clusterClock } from './cluster-clock';
import { type GradingAnalyzer, openAnalyzer } from './open-analyzer';
import type { PartitionStatus } from './partition-status';
import { reportAnalysis } from './report-analysis';

/** What a cluster's collector is to publish. */
const EXPECTED = {
  streams: ['ovn-nb', ...KUBERNETES_STREAMS],
  staleAfterMs: STALE_AFTER_MS,
};
const SOURCES = ['kubernetes', 'ovn-nb'];

/**
 * The analyzer as a service: shares the partitions of the changes with its like, and shows what it
 * knows of the clusters in those it has.
 */
@Injectable()
export class AnalyzerService implements ServiceRuntime {
  private readonly clock = clusterClock();
  private analyzer: GradingAnalyzer | undefined;
  private serviceLog: ServiceLog | undefined;
  private progress: CatchingUp | undefined;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    shell.meter.onScrape(() => this.showMetrics());
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings, logger } = this.shell;
    openStateDir(this.shell);
    const { log, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => log.close());
    await ensure(signal);
    const progress = (this.progress = new CatchingUp({
      watermarks: (partition) => log.watermarks(CHANGES, partition),
      position: (partition) => this.analyzer?.position(partition),
      onCaughtUp: (partition) => {
        this.clock.forget(this.clustersOf(partition));
        logger.info('partition caught up', { partition });
      },
    }));
    this.analyzer = openAnalyzer({
      settings,
      version: this.shell.identity.version,
      log: progress.watching(log),
      clock: () => new Date(),
      checkpointFile: (partition) => `analyzer-${partition}.db`,
      decisions: provenDecisions(log, settings.signing, (message) =>
        logger.warn('signing', { reason: message }),
      ),
      ...reportAnalysis(this.shell, progress, (partition) => {
        for (const cluster of this.clustersOf(partition))
          this.clock.observe(cluster, this.analyzer?.picture(cluster)?.streams() ?? []);
      }),
    });
    await refreshing(progress, this.analyzer.run(signal));
  }

  missing(): readonly Lack[] {
    return [
      ...(this.serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(this.progress?.missing() ?? []),
    ];
  }

  stuck(): string | undefined {
    return this.progress?.stuck();
  }

  /** The clusters of its partitions, as far as each is known. */
  views(): readonly ClusterView[] {
    return (this.analyzer?.clusters() ?? [])
      .flatMap((cluster): ClusterView[] => {
        const picture = this.analyzer?.picture(cluster);
        if (!picture) return [];
        const streams = picture.streams();
        this.clock.observe(cluster, streams);
        const now = this.clock.now(cluster);
        const known = { streams, notInstalled: (kind: string) => picture.world.notInstalled(kind) };
        return [
          { cluster, picture, ready: now !== undefined && readinessOf(known, EXPECTED, now).ready },
        ];
      })
      .sort(ascendingBy((it) => it.cluster));
  }

  partitions(): readonly PartitionStatus[] {
    return (this.analyzer?.partitions() ?? []).map((partition) => ({
      ...followedPartition(partition, this.analyzer?.position(partition), this.progress),
      caughtUp: this.progress?.isCaughtUp(partition) ?? false,
    }));
  }

  private clustersOf(partition: number): string[] {
    return (this.analyzer?.clusters() ?? []).filter(
      (cluster) => partitionOf(cluster, PARTITIONS) === partition,
    );
  }

  private showMetrics(): void {
    const { meter } = this.shell;
    showPictures(
      meter,
      new Map(
        this.views().map(({ cluster, picture }) => [
          cluster,
          {
            picture,
            score: this.analyzer?.score(cluster),
            sources: auditSources(picture),
            expected: SOURCES,
            now: this.clock.now(cluster) ?? Date.now(),
          },
        ]),
      ),
    );
    meter.set(SHARED_ANALYZER_METRICS.partitions, {}, this.analyzer?.partitions().length ?? 0);
    showLags(meter, SHARED_ANALYZER_METRICS.lag, this.progress);
  }
}
