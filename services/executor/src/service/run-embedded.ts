import { join } from 'node:path';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import type { Systems } from '@ovn-steward/systems/systems';
import { emptyInbox, moveInbox, openInbox } from '../control/inbox';
import { EXECUTOR_FILE } from '../store/executor-file';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import type { ExecutorActivity, ExecutorReading } from './count-executor';
import { openExecutor, type OpenExecutor, type OpenExecutorOptions } from './open-executor';

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
export async function runEmbedded(options: EmbeddedOptions, signal: AbortSignal): Promise<void> {
  const { settings, log, onReading, onTrouble } = options;
  const { trusted } = signingOf(settings.signing, onTrouble);
  const file = openStateFile(join(settings.stateDir, EXECUTOR_FILE));
  const inbox = openInbox(settings.stateDir);
  const stop = new AbortController();
  const running = AbortSignal.any([signal, stop.signal]);
  let open: OpenExecutor | undefined;
  try {
    open = openExecutor({ ...options, ...reports(options), file, log: embeddedLog(log, trusted) });
    onReading(open.reading);
    const partition = partitionOf(settings.cluster, PARTITIONS);
    // What was decided while nobody ran is heard before anything is done.
    await emptyInbox({ inbox, log, partition });
    const moving = moveInbox({ inbox, log, partition, signal: running, onTrouble });
    const following = open.executor.run(running);
    await Promise.all([following, moving].map((it) => it.finally(() => stop.abort())));
  } catch (error) {
    onTrouble(messageOf(error));
    throw error;
  } finally {
    stop.abort();
    onReading(undefined);
    await open?.close();
    inbox.close();
    file.close();
  }
}

const reports = ({
  onEvent,
  onTrouble,
}: EmbeddedOptions): Pick<OpenExecutorOptions, 'onRead' | 'onAct' | 'onBackup'> => ({
  onRead(event) {
    onEvent(event);
    if (event.type === 'read-failed')
      onTrouble(`${event.error}; trying again in ${event.retryInMs} ms`);
  },
  onAct: onEvent,
  onBackup: onEvent,
});
