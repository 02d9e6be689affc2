import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CatchingUp, catchingUp } from '@ovn-steward/service/kafka/catching-up';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Service, Shell } from '@ovn-steward/service/service';
import { Finding } from '@ovn-steward/shared/events/finding';
import { Reference } from '@ovn-steward/shared/events/reference';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { z } from 'zod';
import { createExecutor, type Executor } from '../executor';
import { EXECUTOR_METRICS } from '../metrics';
import { openExecutorFile } from '../store/executor-file';
import { ExecutorStore } from '../store/executor-store';
import { ProposalsPage, proposalsRoute } from './proposals-route';
import { telling } from './telling';

/** How often the ends of the partitions are asked for. */
const LOOK_EVERY_MS = 5000;

const ExecutorStatus = z.object({
  mode: z.literal('observe').describe('It proposes, and acts on nothing.'),
  partitions: z.array(z.object({ partition: z.number().int(), position: z.string().describe('Where reading goes on; a whole number.'), lag: z.number().int().nullable() })),
  proposals: z.array(z.object({ cluster: z.string(), rule: z.string(), count: z.number().int() })),
});

/** The executor as a service: follows the findings and shows what it would do about them. It acts on nothing. */
export function executorService(shell: Shell): Service {
  const { settings, meter, logger } = shell;
  let executor: Executor | undefined;
  let serviceLog: ServiceLog | undefined;
  let progress: CatchingUp | undefined;

  meter.onScrape(() => {
    for (const gauge of [EXECUTOR_METRICS.proposals, EXECUTOR_METRICS.lag]) meter.reset(gauge);
    for (const { cluster, rule, count } of executor?.counts() ?? []) meter.set(EXECUTOR_METRICS.proposals, { cluster, rule }, count);
    for (const [partition, lag] of progress?.lags() ?? []) meter.set(EXECUTOR_METRICS.lag, { partition: String(partition) }, lag);
    meter.set(EXECUTOR_METRICS.partitions, {}, executor?.followed().length ?? 0);
  });

  return {
    async work(signal, opened) {
      mkdirSync(settings.stateDir, { recursive: true });
      const file = openExecutorFile(join(settings.stateDir, 'executor.db'));
      opened('state', () => {
        executor = undefined;
        file.close();
      });
      const store = new ExecutorStore(file);
      const { log, ensure } = (serviceLog = openServiceLog(shell));
      opened('log', () => log.close());
      await ensure(signal);
      const following = (progress = catchingUp({
        watermarks: (partition) => log.watermarks(FINDINGS, partition),
        position: (partition) => store.position(partition)?.next,
        onCaughtUp: (partition) => logger.info('partition caught up', { partition }),
      }));
      const timer = setInterval(() => void following.look(), LOOK_EVERY_MS);
      executor = createExecutor({ log, store, clock: () => new Date(), onEvent: telling(shell, following) });
      await executor.run(signal).finally(() => clearInterval(timer));
    },
    missing: () => [...(serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]), ...(progress?.missing() ?? [])],
    stuck: () => progress?.stuck(),
    statusSchema: ExecutorStatus,
    status: () => ({
      mode: 'observe',
      partitions: (executor?.followed() ?? []).map(({ partition, next }) => ({ partition, position: String(next), lag: progress?.lags().get(partition) ?? null })),
      proposals: executor?.counts() ?? [],
    }),
    routes: [proposalsRoute({ reading: () => executor?.reading() ?? false, proposals: (filter) => executor?.proposals(filter) ?? [] })],
    schemas: { Finding, ProposalsPage, Reference },
  };
}
