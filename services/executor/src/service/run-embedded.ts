import { hostname } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import { emptyInbox, moveInbox, openInbox } from '../control/inbox';
import { createExecutor } from '../consume/executor';
import { actingOf } from './acting-of';
import { backups } from './backups';
import type { ExecutorActivity, ExecutorReading } from './count-executor';
import { decidedByPeople } from './decided-by-people';
import { unsettledView } from './unsettled-view';
import { openExecutorFile } from '../store/executor-file';
import { ExecutorStore } from '../store/executor-store';
import { Ledger } from '../ledger/ledger';
import type { Systems } from '@ovn-steward/systems/systems';
import { unsettledIn } from '../work/unsettled';

/** The executor's file in a state directory. */
export const EXECUTOR_FILE = 'executor.db';

export interface EmbeddedOptions {
  readonly settings: Settings;
  /** The embedded log, which this process has. */
  readonly log: Log;
  readonly systems: Systems;
  readonly clock: () => Date;
  /** Must not throw. */
  readonly onEvent: (event: ExecutorActivity) => void;
  /** Told what the executor shows of itself, from its start until it is told that there is nothing more to be asked. */
  readonly onReading: (reading: ExecutorReading | undefined) => void;
  /** Told of failures, one sentence each. Must not throw. */
  readonly onTrouble: (message: string) => void;
}

/**
 * The executor beside a collector and an analyzer in one process: follows the findings, hears what people put into the inbox, and does what the modes
 * of the rules allow; takes the backups the settings ask for. @throws Failure that trying again cannot mend.
 */
export async function runEmbedded(
  { settings, log, systems, clock, onEvent, onReading, onTrouble }: EmbeddedOptions,
  signal: AbortSignal,
): Promise<void> {
  const { trusted } = signingOf(settings.signing, onTrouble);
  const file = openExecutorFile(join(settings.stateDir, EXECUTOR_FILE));
  const inbox = openInbox(settings.stateDir);
  const stop = new AbortController();
  const running = AbortSignal.any([signal, stop.signal]);
  const decided = decidedByPeople(clock);
  const endBackups = backups(settings, systems.northbound, onEvent);
  try {
    const partition = partitionOf(settings.cluster, PARTITIONS);
    const [store, ledger] = [new ExecutorStore(file), new Ledger(file)];
    const executor = createExecutor({
      log,
      store,
      clock,
      acting: actingOf({
        settings,
        systems,
        log: embeddedLog(log, trusted),
        file,
        ledger,
        heardAs: hostname(),
        store,
        clock,
        onEvent: (event) => {
          decided.onEvent(event);
          onEvent(event);
        },
      }),
      onEvent: (event) => {
        onEvent(event);
        if (event.type === 'read-failed')
          onTrouble(`${event.error}; trying again in ${event.retryInMs} ms`);
      },
    });
    onReading({
      proposals: () => executor.counts(),
      openClaims: () => ledger.open(settings.cluster).length,
      unsettled: () => unsettledView(unsettledIn(ledger, settings.cluster)),
      unpublished: () => ledger.unpublished(),
      holds: () => decided.holds(),
    });
    // What was decided while nobody ran is heard before anything is done.
    await emptyInbox({ inbox, log, partition });
    const moving = moveInbox({ inbox, log, partition, signal: running, onTrouble });
    await Promise.all([executor.run(running), moving].map((it) => it.finally(() => stop.abort())));
  } catch (error) {
    onTrouble(messageOf(error));
    throw error;
  } finally {
    stop.abort();
    onReading(undefined);
    await endBackups();
    inbox.close();
    file.close();
  }
}
