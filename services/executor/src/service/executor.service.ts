import { join } from 'node:path';
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
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openStateDir } from '@ovn-steward/service/work/state-dir';
import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Log } from '@ovn-steward/shared/log/log';
import { signedLog, type SignedLogOptions } from '@ovn-steward/shared/signing/signed-log';
import { readSigningKey } from '@ovn-steward/shared/signing/signing-key';
import {
  requireDecisionsKey,
  requireExecutorKeys,
  signerOf,
  signingOf,
} from '@ovn-steward/shared/signing/signing-of';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { appendDecisions } from '../decide/append-decisions';
import { type Decisions, decisionsOf } from '../decide/decisions';
import { SHARED_EXECUTOR_METRICS } from './metrics';
import { EXECUTOR_FILE } from '../store/executor-file';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import type { ProposalFilter } from '../store/executor-store';
import type { Ledger } from '../ledger/ledger';
import type { Systems } from '@ovn-steward/systems/systems';
import type { Proposal } from '../findings/proposal';
import { namesCluster } from './acting-of';
import { knownLedger } from './known-ledger';
import { countExecutor, type ExecutorActivity } from './count-executor';
import type { ExecutorStatus } from './executor-status';
import { openExecutor, type OpenExecutor } from './open-executor';
import { reportReading } from './report-reading';
import { reportActs } from './report-acts';
import { reportBackups } from './report-backups';
import { unreadDecisions } from './unread-decisions';
import { unansweredIn, type UnansweredRequest } from './unanswered';

/**
 * The executor as a service: follows the findings, and does about those of the cluster its settings
 * name what the modes of the rules allow.
 */
@Injectable()
export class ExecutorService implements ServiceRuntime {
  private readonly count: (event: ExecutorActivity) => void;
  private readonly unread = unreadDecisions();
  private readonly known: ReturnType<typeof knownLedger<Ledger>>;
  private open: OpenExecutor | undefined;
  private deciding: Decisions | undefined;
  private serviceLog: ServiceLog | undefined;
  private progress: CatchingUp | undefined;
  private identity: ExecutorStatus['identity'] = null;

  constructor(@Inject(SHELL) private readonly shell: Shell) {
    const { meter } = shell;
    this.count = countExecutor(meter, () => this.open?.reading);
    this.known = knownLedger(shell.settings.cluster);
    meter.onScrape(() => this.showMetrics());
  }

  async work(signal: AbortSignal, opened: Opened): Promise<void> {
    const { settings, logger } = this.shell;
    openStateDir(this.shell);
    const signing = signingOf(settings.signing, (message) =>
      logger.warn('signing', { reason: message }),
    );
    if (namesCluster(settings)) requireExecutorKeys(settings, signing);
    const file = openStateFile(join(settings.stateDir, EXECUTOR_FILE));
    opened('state', () => {
      this.open = undefined;
      this.deciding = undefined;
      file.close();
    });
    const { log, ensure } = (this.serviceLog = openServiceLog(this.shell));
    opened('log', () => log.close());
    await ensure(signal);
    const progress = (this.progress = new CatchingUp({
      watermarks: (partition) => log.watermarks(FINDINGS, partition),
      position: (partition) => this.open?.store.position(partition)?.next,
      onCaughtUp: (partition) => logger.info('partition caught up', { partition }),
    }));
    const systems = this.systems(opened);
    const { executor, close } = (this.open = openExecutor({
      settings,
      file,
      log: signedLog(progress.watching(log), signing),
      systems,
      heardAs: signerOf(signing)?.name,
      clock: () => new Date(),
      onRead: this.counted(reportReading(logger, progress)),
      onAct: this.counted(reportActs(logger)),
      onBackup: this.counted(reportBackups(logger)),
    }));
    if (systems) opened('backups', close);
    this.deciding = this.decisionsOn(log, signing);
    await refreshing(progress, executor.run(signal));
  }

  missing(): readonly Lack[] {
    return [
      ...(this.serviceLog?.missing() ?? [{ what: 'log', detail: 'it was not opened yet' }]),
      ...(this.progress?.missing() ?? []),
      ...this.unread.missing(),
    ];
  }

  stuck(): string | undefined {
    return this.progress?.stuck();
  }

  /**
   * The records of what was decided and done; none while the executor's file is not open, or was
   * never what the log says.
   */
  ledger(): Ledger | undefined {
    const ledger = this.open?.ledger;
    return namesCluster(this.shell.settings) ? this.known.of(ledger) : ledger;
  }

  /**
   * Records what people decide over HTTP; undefined where no one may decide, or no executor would
   * respect it.
   */
  decisions(): Decisions | undefined {
    return this.deciding;
  }

  /** Whether the findings are being followed. */
  reading(): boolean {
    return this.open?.executor.reading() ?? false;
  }

  proposals(filter: ProposalFilter): readonly Proposal[] {
    return this.open?.executor.proposals(filter) ?? [];
  }

  status(): ExecutorStatus {
    const { settings } = this.shell;
    const { executor, ledger, reading } = this.open ?? {};
    const holds = reading?.holds() ?? null;
    return {
      cluster: namesCluster(settings) ? settings.cluster : null,
      acting: namesCluster(settings),
      identity: this.identity,
      holds: holds && [...holds],
      mode: settings.executor.mode,
      rules: settings.executor.rules,
      actions: [...(ledger?.counts() ?? [])],
      unsettled: [...(reading?.unsettled() ?? [])],
      unanswered: [...this.unanswered()],
      partitions: (executor?.followed() ?? []).map(({ partition, next }) =>
        followedPartition(partition, next, this.progress),
      ),
      proposals: [...(executor?.counts() ?? [])],
    };
  }

  /**
   * Signed by a key of its own, which vouches for those who decide: this executor’s own key may not
   * decide.
   */
  private decisionsOn(log: Log, signing: SignedLogOptions): Decisions | undefined {
    const { settings, access } = this.shell;
    const { keyFile } = settings.http.decisions;
    const { ledger, executor } = this.open!;
    if (access === undefined || !namesCluster(settings)) return undefined;
    if (keyFile === undefined && signing.required) return undefined;
    const key =
      keyFile === undefined ? undefined : readSigningKey(keyFile, 'http.decisions.keyFile');
    if (key) requireDecisionsKey({ key, trusted: signing.trusted });
    const signed = signedLog(log, { ...signing, key });
    const partition = partitionOf(settings.cluster, PARTITIONS);
    return decisionsOf({
      settings,
      log: signed,
      ledger,
      proposals: () => executor.proposals({ cluster: settings.cluster }),
      keyId: key?.id,
      publish: (control) => appendDecisions(signed, partition, [control]),
    });
  }

  /** Those of the cluster the settings name, if they do. */
  private systems(opened: Opened): Systems | undefined {
    const { settings, logger } = this.shell;
    if (!namesCluster(settings)) return undefined;
    const systems = liveSystems(settings, {
      onTrouble: (message) => logger.warn('northbound', { reason: message }),
    });
    opened('systems', () => systems.close());
    return systems;
  }

  private counted<E extends ExecutorActivity>(report: (event: E) => void): (event: E) => void {
    return (event) => {
      this.count(event);
      this.unread.onEvent(event);
      this.known.onEvent(event);
      if (event.type === 'identity')
        this.identity = {
          ledger: event.ledger ?? null,
          systems: event.here,
          refuses: event.refuses ?? null,
        };
      report(event);
    };
  }

  private unanswered(): readonly UnansweredRequest[] {
    const decided = this.open?.decided();
    return this.open === undefined || decided === undefined
      ? []
      : unansweredIn(decided, this.open.ledger);
  }

  private showMetrics(): void {
    const { meter } = this.shell;
    showLags(meter, SHARED_EXECUTOR_METRICS.lag, this.progress);
    meter.set(SHARED_EXECUTOR_METRICS.partitions, {}, this.open?.executor.followed().length ?? 0);
  }
}
