import { hostname } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CatchingUp,
  catchingUp,
  refreshing,
  showLags,
} from '@ovn-steward/service/kafka/catching-up';
import { openServiceLog, type ServiceLog } from '@ovn-steward/service/kafka/service-log';
import {
  type Lack,
  type Opened,
  type Service,
  SHELL,
  type Shell,
} from '@ovn-steward/service/work/service';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { requireExecutorKeys, signerOf, signingOf } from '@ovn-steward/shared/signing/signing-of';
import type { Acting } from '../consume/acting';
import { createExecutor, type Executor } from '../consume/executor';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { SHARED_METRICS } from './metrics';
import { openExecutorFile } from '../store/executor-file';
import { ExecutorStore, type ProposalFilter } from '../store/executor-store';
import type { Proposal } from '../findings/proposal';
import { Ledger } from '../ledger/ledger';
import { unsettledIn } from '../work/unsettled';
import { actingOf, type ActingParts, namesCluster } from './acting-of';
import { backups } from './backups';
import { countExecutor, type ExecutorActivity } from './count-executor';
import type { ExecutorStatus } from './executor-status';
import { decidedByPeople } from './decided-by-people';
import { reportReading } from './report-reading';
import { reportActs } from './report-acts';
import { reportBackups } from './report-backups';
import { unansweredIn, type UnansweredRequest } from './unanswered';
import { type UnsettledClaim, unsettledView } from './unsettled-view';

/** The executor as a service: follows the findings, and does about those of the cluster its settings name what the modes of the rules allow. */
@Injectable()
export class ExecutorService implements Service {
  private readonly clock = (): Date => new Date();
  private readonly decided = decidedByPeople(this.clock);
  private readonly count: (event: ExecutorActivity) => void;
  private executor: Executor | undefined;
  private openedLedger: Ledger | undefined;
  private serviceLog: ServiceLog | undefined;
  private progress: CatchingUp | undefined;
  private identity: ExecutorStatus['identity'] = null;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    const { meter, settings } = shell;
    this.count = countExecutor(meter, () => ({
      proposals: () => this.executor?.counts() ?? [],
      openClaims: () => this.openedLedger?.open(settings.cluster).length ?? 0,
      unsettled: () => this.unsettled(),
      unpublished: () => this.openedLedger?.unpublished() ?? 0,
      holds: () => this.decided.holds(),
    }));
    meter.onScrape(() => this.showMetrics());
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings, logger } = this.shell;
    openStateDir(this.shell);
    const signing = signingOf(settings.signing, (message) => logger.warn('signing', { message }));
    if (namesCluster(settings)) requireExecutorKeys(settings, signing);
    const file = openExecutorFile(join(settings.stateDir, 'executor.db'));
    opened('state', () => {
      this.executor = undefined;
      this.openedLedger = undefined;
      file.close();
    });
    const store = new ExecutorStore(file);
    const { log: bare, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => bare.close());
    const log = signedLog(bare, signing);
    await ensure(signal);
    const progress = (this.progress = catchingUp({
      watermarks: (partition) => log.watermarks(FINDINGS, partition),
      position: (partition) => store.position(partition)?.next,
      onCaughtUp: (partition) => logger.info('partition caught up', { partition }),
    }));
    const ledger = (this.openedLedger = new Ledger(file));
    const acting = namesCluster(settings)
      ? this.acting(
          { log, file, ledger, store, heardAs: signerOf(signing)?.name ?? hostname() },
          opened,
        )
      : undefined;
    this.executor = createExecutor({
      log,
      store,
      clock: this.clock,
      ...(acting && { acting }),
      onEvent: this.counted(reportReading(logger, progress)),
    });
    await refreshing(progress, this.executor.run(signal));
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

  /** The records of what was decided and done; none while the executor's file is not open. */
  ledger(): Ledger | undefined {
    return this.openedLedger;
  }

  /** Whether the findings are being followed. */
  reading(): boolean {
    return this.executor?.reading() ?? false;
  }

  proposals(filter: ProposalFilter): readonly Proposal[] {
    return this.executor?.proposals(filter) ?? [];
  }

  status(): ExecutorStatus {
    const { settings } = this.shell;
    return {
      acting: namesCluster(settings),
      identity: this.identity,
      holds: this.decided.holds(),
      mode: settings.executor.mode,
      rules: settings.executor.rules,
      actions: [...(this.openedLedger?.counts() ?? [])],
      unsettled: [...this.unsettled()],
      unanswered: [...this.unanswered()],
      partitions: (this.executor?.followed() ?? []).map(({ partition, next }) => ({
        partition,
        position: String(next),
        lag: this.progress?.lags().get(partition) ?? null,
      })),
      proposals: [...(this.executor?.counts() ?? [])],
    };
  }

  private acting(
    parts: Pick<ActingParts, 'log' | 'file' | 'ledger' | 'store' | 'heardAs'>,
    opened: Opened,
  ): Acting {
    const { settings, logger } = this.shell;
    const systems = liveSystems(settings, {
      onTrouble: (message) => logger.warn('northbound', { message }),
    });
    opened('systems', () => systems.close());
    const acting = actingOf({
      ...parts,
      settings,
      systems,
      clock: this.clock,
      onEvent: this.counted(reportActs(logger)),
    });
    opened('backups', backups(settings, systems.northbound, this.counted(reportBackups(logger))));
    return acting;
  }

  private counted<E extends ExecutorActivity>(report: (event: E) => void): (event: E) => void {
    return (event) => {
      this.count(event);
      this.decided.onEvent(event);
      if (event.type === 'identity')
        this.identity = {
          ledger: event.ledger ?? null,
          systems: event.here,
          refuses: event.refuses ?? null,
        };
      report(event);
    };
  }

  private unsettled(): readonly UnsettledClaim[] {
    return this.openedLedger === undefined
      ? []
      : unsettledView(unsettledIn(this.openedLedger, this.shell.settings.cluster));
  }

  private unanswered(): readonly UnansweredRequest[] {
    const decided = this.decided.state();
    return this.openedLedger === undefined || decided === undefined
      ? []
      : unansweredIn(decided, this.openedLedger);
  }

  private showMetrics(): void {
    const { meter } = this.shell;
    showLags(meter, SHARED_METRICS.lag, this.progress);
    meter.set(SHARED_METRICS.partitions, {}, this.executor?.followed().length ?? 0);
  }
}
