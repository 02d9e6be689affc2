import { join } from 'node:path';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Lack, Service, Shell } from '@ovn-steward/service/service';
import { claimFolder } from '@ovn-steward/shared/claim-folder';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { z } from 'zod';
import { collectIntoLog } from '../collect/collect-into-log';
import { STANDING_METRICS } from '../collect/metrics';
import { sqliteMirror } from '../mirror/mirror-sqlite';
import { inTurn } from './in-turn';
import { type Reading, readingOf } from './reading';
import { sourcesOf } from './sources-of';
import { type CollectorReport, reportCollector } from './report-collector';

const STATES = ['silent', 'reading', 'complete', 'answered', 'unavailable'] as const;

const CollectorStatus = z.object({
  cluster: z.string(),
  role: z
    .enum(['starting', 'catching up', 'leading', 'standing by'])
    .describe(
      'Only the leading one reads the sources. catching up: it learns from the log what was told before.',
    ),
  term: z
    .number()
    .int()
    .nullable()
    .describe('Which leadership this is; 0 without a Lease, null while it has none.'),
  position: z
    .string()
    .nullable()
    .describe('The offset up to which it knows the changes in the log; a whole number.'),
  streams: z.array(
    z.object({
      stream: z.string(),
      source: z.string(),
      state: z.enum(STATES),
      detail: z.string().optional(),
      epoch: z.number().int().nullable(),
      seq: z.number().int().nullable().describe('Of the last change published.'),
    }),
  ),
});
type CollectorStatus = z.infer<typeof CollectorStatus>;

/** The collector as a service: tells the log what happens in one cluster. */
export function collectorService(shell: Shell): Service {
  const { settings, meter, logger } = shell;
  const { cluster } = settings;
  const state = {
    role: 'starting' as CollectorStatus['role'],
    term: null as number | null,
    position: (): string | null => null,
  };
  let serviceLog: ServiceLog | undefined;
  let reading: Reading | undefined;
  let told: CollectorReport | undefined;

  meter.onScrape(() => {
    meter.set(
      STANDING_METRICS.leader,
      { cluster },
      state.role === 'leading' || state.role === 'catching up' ? 1 : 0,
    );
    meter.reset(STANDING_METRICS.streams);
    for (const it of reading?.sources ?? [])
      for (const each of STATES)
        meter.set(STANDING_METRICS.streams, { cluster, source: it.source, state: each }, 0);
    for (const it of reading?.streams() ?? [])
      meter.add(STANDING_METRICS.streams, { cluster, source: it.source, state: it.state }, 1);
  });

  const missing = (): readonly Lack[] => {
    if (!serviceLog) return [{ what: 'log', detail: 'it was not opened yet' }];
    const lacks = serviceLog.missing();
    if (state.role === 'leading') return [...lacks, ...(reading?.missing() ?? [])];
    return state.role === 'standing by'
      ? lacks
      : [...lacks, { what: 'sources', detail: `they are not read yet: ${state.role}` }];
  };

  return {
    async work(signal, opened) {
      const watched = (reading = readingOf(
        sourcesOf(settings, (source, message) =>
          logger.warn('source trouble', { source, reason: message }),
        ),
      ));
      const { onEvent } = (told = reportCollector(
        shell,
        new Map(watched.sources.map((it) => [it.id, it.source])),
      ));
      Object.assign(state, { role: 'starting', term: null });
      const open = privateFolder(settings.stateDir);
      if (open !== undefined) shell.logger.warn('state directory open to others', { reason: open });
      claimFolder(settings.stateDir, cluster);
      const mirror = sqliteMirror(join(settings.stateDir, 'collector.db'));
      opened('state', () => {
        state.position = () => null;
        mirror.close();
      });
      state.position = () => String(mirror.position());
      const { log, ensure } = (serviceLog = openServiceLog(shell));
      opened('log', () => log.close());
      await ensure(signal);
      await inTurn(
        shell,
        { onStandby: () => Object.assign(state, { role: 'standing by', term: null }) },
        signal,
        async (term, leadership) => {
          watched.restart();
          Object.assign(state, { role: 'catching up', term });
          await collectIntoLog(
            {
              cluster,
              log,
              mirror,
              sources: watched.sources,
              term,
              clock: () => new Date(),
              onEvent,
              onProgress: (read, reached, end) =>
                logger.debug('catching up', { read, reached, end }),
              onCaughtUp: (records) => {
                state.role = 'leading';
                logger.info('caught up', { records, term });
              },
              onTrouble: (message) => logger.warn('trouble', { reason: message }),
            },
            leadership,
          );
        },
      );
    },
    missing,
    statusSchema: CollectorStatus,
    status: (): CollectorStatus => ({
      cluster,
      role: state.role,
      term: state.term,
      position: state.position(),
      streams: (reading?.streams() ?? []).map((it) => ({
        ...it,
        epoch: told?.published(it.stream)?.epoch ?? null,
        seq: told?.published(it.stream)?.seq ?? null,
      })),
    }),
  };
}
