import { hostname } from 'node:os';
import { join } from 'node:path';
import { type CatchingUp, catchingUp } from '@ovn-steward/service/kafka/catching-up';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import type { Service, Shell } from '@ovn-steward/service/service';
import { Mode } from '@ovn-steward/shared/mode';
import { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { requireExecutorKeys, signerOf, signingOf } from '@ovn-steward/shared/signing/signing-of';
import { z } from 'zod';
import type { Acting } from '../consume/acting';
import { StandingHold } from '../control/standing-holds';
import { createExecutor, type Executor } from '../consume/executor';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { SHARED_METRICS } from './metrics';
import { openExecutorFile } from '../store/executor-file';
import { ExecutorStore } from '../store/executor-store';
import { Ledger } from '../ledger/ledger';
import { unsettledIn } from '../work/unsettled';
import { actingOf, namesCluster } from './acting-of';
import { ACTIONS_SCHEMAS, actionsRoutes } from './actions-route';
import { backups } from './backups';
import { countExecutor, type ExecutorActivity } from './count-executor';
import { ProposalsPage, proposalsRoute } from './proposals-route';
import { holdsInForce } from './holds-in-force';
import { reportReading } from './report-reading';
import { reportActs } from './report-acts';
import { reportBackups } from './report-backups';
import { UnsettledClaim, unsettledView } from './unsettled-view';

/** How often the ends of the partitions are asked for. */
const LOOK_EVERY_MS = 5000;

const ExecutorStatus = z.object({
  acting: z
    .boolean()
    .describe(
      'Whether it may act on the cluster of its settings, as the modes of the rules allow; else it watches.',
    ),
  identity: z
    .object({
      ledger: ClusterIdentity.nullable().describe(
        'The living systems the ledger belongs to; null before the first claim.',
      ),
      systems: ClusterIdentity.describe('Those that answer.'),
      refuses: z
        .string()
        .nullable()
        .describe('Why nothing is done, where they are others; then a person has to say which.'),
    })
    .nullable()
    .describe('Null while this executor has not acted: it has not its turn, or acts on nothing.'),
  holds: z
    .array(StandingHold)
    .nullable()
    .describe(
      'The holds in force; null while this executor does not follow what people decide: it has not its turn, or acts on nothing.',
    ),
  mode: Mode.describe('Of rules that executor.rules does not name.'),
  rules: z.record(z.string(), Mode).describe('Of the rules it names.'),
  actions: z.array(
    z.object({
      cluster: z.string(),
      rule: z.string(),
      state: z.string(),
      code: z.string(),
      count: z.number().int(),
    }),
  ),
  unsettled: z
    .array(UnsettledClaim)
    .describe('What is under way and could not be brought to its end, the oldest first.'),
  partitions: z.array(
    z.object({
      partition: z.number().int(),
      position: z.string().describe('Where reading goes on; a whole number.'),
      lag: z.number().int().nullable(),
    }),
  ),
  proposals: z.array(z.object({ cluster: z.string(), rule: z.string(), count: z.number().int() })),
});

/** The executor as a service: follows the findings, and does about those of the cluster its settings name what the modes of the rules allow. */
export function executorService(shell: Shell): Service {
  const { settings, meter, logger } = shell;
  let executor: Executor | undefined;
  let ledger: Ledger | undefined;
  let serviceLog: ServiceLog | undefined;
  let progress: CatchingUp | undefined;

  let identity: z.infer<typeof ExecutorStatus>['identity'] = null;

  const clock = (): Date => new Date();
  const holds = holdsInForce(clock);
  const unsettled = (): readonly UnsettledClaim[] =>
    ledger === undefined ? [] : unsettledView(unsettledIn(ledger, settings.cluster));
  const count = countExecutor(meter, () => ({
    proposals: () => executor?.counts() ?? [],
    openClaims: () => ledger?.open(settings.cluster).length ?? 0,
    unsettled,
    unpublished: () => ledger?.unpublished() ?? 0,
    holds: () => holds.now(),
  }));
  const counted =
    <E extends ExecutorActivity>(tell: (event: E) => void) =>
    (event: E): void => {
      count(event);
      holds.onEvent(event);
      if (event.type === 'identity')
        identity = {
          ledger: event.ledger ?? null,
          systems: event.here,
          refuses: event.refuses ?? null,
        };
      tell(event);
    };
  const tellingAct = counted(reportActs(logger));

  meter.onScrape(() => {
    meter.reset(SHARED_METRICS.lag);
    for (const [partition, lag] of progress?.lags() ?? [])
      meter.set(SHARED_METRICS.lag, { partition: String(partition) }, lag);
    meter.set(SHARED_METRICS.partitions, {}, executor?.followed().length ?? 0);
  });

  return {
    async work(signal, opened) {
      const open = privateFolder(settings.stateDir);
      if (open !== undefined) shell.logger.warn('state directory open to others', { reason: open });
      const signing = signingOf(settings.signing, (message) => logger.warn('signing', { message }));
      if (namesCluster(settings)) requireExecutorKeys(settings, signing);
      const file = openExecutorFile(join(settings.stateDir, 'executor.db'));
      opened('state', () => {
        executor = undefined;
        ledger = undefined;
        file.close();
      });
      const store = new ExecutorStore(file);
      const { log: bare, ensure } = (serviceLog = openServiceLog(shell));
      opened('log', () => bare.close());
      const log = signedLog(bare, signing);
      await ensure(signal);
      const following = (progress = catchingUp({
        watermarks: (partition) => log.watermarks(FINDINGS, partition),
        position: (partition) => store.position(partition)?.next,
        onCaughtUp: (partition) => logger.info('partition caught up', { partition }),
      }));
      const timer = setInterval(() => void following.look(), LOOK_EVERY_MS);
      const book = (ledger = new Ledger(file));
      let acting: Acting | undefined;
      if (namesCluster(settings)) {
        const systems = liveSystems(settings, {
          onTrouble: (message) => logger.warn('northbound', { message }),
        });
        opened('systems', () => systems.close());
        acting = actingOf({
          settings,
          systems,
          log,
          file,
          ledger: book,
          heardAs: signerOf(signing)?.name ?? hostname(),
          store,
          clock,
          onEvent: tellingAct,
        });
        opened('backups', backups(settings, systems.northbound, counted(reportBackups(logger))));
      }
      executor = createExecutor({
        log,
        store,
        clock,
        ...(acting && { acting }),
        onEvent: counted(reportReading(logger, following)),
      });
      await executor.run(signal).finally(() => clearInterval(timer));
    },
    missing: () => [
      ...(serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(progress?.missing() ?? []),
    ],
    stuck: () => progress?.stuck(),
    statusSchema: ExecutorStatus,
    status: () => ({
      acting: namesCluster(settings),
      identity,
      holds: holds.now(),
      mode: settings.executor.mode,
      rules: settings.executor.rules,
      actions: ledger?.counts() ?? [],
      unsettled: unsettled(),
      partitions: (executor?.followed() ?? []).map(({ partition, next }) => ({
        partition,
        position: String(next),
        lag: progress?.lags().get(partition) ?? null,
      })),
      proposals: executor?.counts() ?? [],
    }),
    routes: [
      ...actionsRoutes(() => ledger),
      proposalsRoute({
        reading: () => executor?.reading() ?? false,
        proposals: (filter) => executor?.proposals(filter) ?? [],
      }),
    ],
    schemas: { ...ACTIONS_SCHEMAS, Finding, ProposalsPage },
  };
}
