import { hostname } from 'node:os';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Systems } from '@ovn-steward/systems/systems';
import { createExecutor, type Executor, type ExecutorEvent } from '../consume/executor';
import type { ControlState } from '../control/control-state';
import { Ledger } from '../ledger/ledger';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { ExecutorStore } from '../store/executor-store';
import type { ActEvent } from '../work/act-options';
import { unsettledIn } from '../work/unsettled';
import { actingOf } from './acting-of';
import { type BackupEvent, backups } from './backups';
import type { ExecutorReading } from './count-executor';
import { decidedByPeople } from './decided-by-people';
import { unsettledView } from './unsettled-view';

export interface OpenExecutorOptions {
  readonly settings: Settings;
  /** Open; the caller that opened it closes it, after `close`. */
  readonly file: StateFile;
  /** Says of each record who wrote it, as far as the records that move an executor go. */
  readonly log: Log;
  /**
   * The living systems of the cluster of the settings; without them nothing is done about any
   * finding.
   */
  readonly systems: Systems | undefined;
  /** Under which name it says which holds it respects; the host's, by default. */
  readonly heardAs?: string | undefined;
  readonly clock: () => Date;
  /** Must not throw, as the two that follow. */
  readonly onRead: (event: ExecutorEvent) => void;
  readonly onAct: (event: ActEvent) => void;
  readonly onBackup: (event: BackupEvent) => void;
}

export interface OpenExecutor {
  readonly executor: Executor;
  readonly ledger: Ledger;
  /** Where its reading of the findings stands. */
  readonly store: Pick<ExecutorStore, 'position'>;
  /** What it shows of itself. */
  readonly reading: ExecutorReading;
  /** What people decided; undefined while that is not followed. */
  decided(): ControlState | undefined;
  /**
   * Ends the backups, once one that is being taken is finished or given up. To be called after
   * `executor.run` has settled.
   */
  close(): Promise<void>;
}

/**
 * An executor as the settings want it, in a service and in `steward run` alike: it takes backups
 * from now on, and follows the findings once it is run.
 */
export function openExecutor(options: OpenExecutorOptions): OpenExecutor {
  const { settings, file, log, systems, clock, onRead, onAct, onBackup } = options;
  const heardAs = options.heardAs ?? hostname();
  const store = new ExecutorStore(file);
  const ledger = new Ledger(file);
  const people = decidedByPeople(clock);
  const onEvent = (event: ActEvent): void => {
    people.onEvent(event);
    onAct(event);
  };
  const executor = createExecutor({
    log,
    store,
    clock,
    ...(systems && {
      acting: actingOf({ settings, systems, log, file, ledger, heardAs, store, clock, onEvent }),
    }),
    onEvent: onRead,
  });
  return {
    executor,
    ledger,
    store,
    reading: {
      proposals: () => executor.counts(),
      openClaims: () => ledger.open(settings.cluster).length,
      unsettled: () => unsettledView(unsettledIn(ledger, settings.cluster)),
      unpublished: () => ledger.unpublished(),
      holds: () => people.holds(),
      kept: () => people.kept(),
    },
    decided: () => people.state(),
    close: systems ? backups(settings, systems.northbound, onBackup) : () => Promise.resolve(),
  };
}
