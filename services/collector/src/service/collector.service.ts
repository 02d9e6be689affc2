import { Inject, Injectable } from '@nestjs/common';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Lack } from '@ovn-steward/service/work/lack';
import {
  type Opened,
  type ServiceRuntime,
  SHELL,
  type Shell,
} from '@ovn-steward/service/work/service';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { collectIntoLog } from '../collect/collect-into-log';
import { STANDING_METRICS } from '../collect/metrics';
import { type CollectorStatus, STREAM_STATES } from './collector-status';
import { runInTurn } from './in-turn';
import { openMirror } from './open-mirror';
import { type StreamProgress, readingOf } from './reading';
import { sourcesOf } from './sources-of';
import { type CollectorReport, reportCollector } from './report-collector';

/** The collector as a service: publishes what happens in one cluster. */
@Injectable()
export class CollectorService implements ServiceRuntime {
  private role: CollectorStatus['role'] = 'starting';
  private term: number | null = null;
  private position: () => string | null = () => null;
  private serviceLog: ServiceLog | undefined;
  private reading: StreamProgress | undefined;
  private report: CollectorReport | undefined;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    shell.meter.onScrape(() => this.showMetrics());
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings, logger } = this.shell;
    const { cluster } = settings;
    const reading = (this.reading = readingOf(
      sourcesOf(settings, (source, message) =>
        logger.warn('source trouble', { source, reason: message }),
      ),
    ));
    const { onEvent } = (this.report = reportCollector(
      this.shell,
      new Map(reading.sources.map(({ id, source }) => [id, source])),
    ));
    this.turnTo('starting', null);
    openStateDir(this.shell);
    const mirror = openMirror(settings);
    opened('state', () => {
      this.position = () => null;
      mirror.close();
    });
    this.position = () => String(mirror.position());
    const { log, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => log.close());
    await ensure(signal);
    await runInTurn(
      this.shell,
      { onStandby: () => this.turnTo('standing by', null) },
      signal,
      async (term, leadership) => {
        reading.restart();
        this.turnTo('catching up', term);
        await collectIntoLog(
          {
            cluster,
            log,
            mirror,
            sources: reading.sources,
            term,
            clock: () => new Date(),
            onEvent,
            onProgress: (read, reached, end) => logger.debug('catching up', { read, reached, end }),
            onCaughtUp: (records) => {
              this.role = 'leading';
              logger.info('caught up', { records, term });
            },
            onTrouble: (message) => logger.warn('trouble', { reason: message }),
          },
          leadership,
        );
      },
    );
  }

  missing(): readonly Lack[] {
    if (!this.serviceLog) return [{ what: 'log', detail: 'it was not opened yet' }];
    const lacks = this.serviceLog.missing();
    if (this.role === 'leading') return [...lacks, ...(this.reading?.missing() ?? [])];
    return this.role === 'standing by'
      ? lacks
      : [...lacks, { what: 'sources', detail: `they are not read yet: ${this.role}` }];
  }

  status(): CollectorStatus {
    return {
      cluster: this.shell.settings.cluster,
      role: this.role,
      term: this.term,
      position: this.position(),
      streams: (this.reading?.streams() ?? []).map((stream) => ({
        ...stream,
        epoch: this.report?.published(stream.stream)?.epoch ?? null,
        seq: this.report?.published(stream.stream)?.seq ?? null,
      })),
    };
  }

  private turnTo(role: CollectorStatus['role'], term: number | null): void {
    this.role = role;
    this.term = term;
  }

  private showMetrics(): void {
    const { meter, settings } = this.shell;
    const { cluster } = settings;
    const leads = this.role === 'leading' || this.role === 'catching up';
    meter.set(STANDING_METRICS.leader, { cluster }, leads ? 1 : 0);
    meter.reset(STANDING_METRICS.streams);
    for (const { source } of this.reading?.sources ?? [])
      for (const state of STREAM_STATES)
        meter.set(STANDING_METRICS.streams, { cluster, source, state }, 0);
    for (const { source, state } of this.reading?.streams() ?? [])
      meter.add(STANDING_METRICS.streams, { cluster, source, state }, 1);
  }
}
