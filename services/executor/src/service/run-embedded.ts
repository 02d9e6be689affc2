import { join } from 'node:path';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import type { Systems } from '@ovn-steward/systems/systems';
import { type Decisions, decisionsOf } from '../decide/decisions';
import type { Ledger } from '../ledger/ledger';
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
  /**
   * Called with the figures of the executor when it starts, and with undefined when they can no
   * longer be read.
   */
  readonly onReading: (reading: ExecutorReading | undefined) => void;
  /**
   * Called with what records decisions over HTTP, and with the ledger, for as long as both are
   * open.
   */
  readonly onDeciding?: (deciding: Deciding | undefined) => void;
  /** Called with failures, one sentence each. Must not throw. */
  readonly onTrouble: (message: string) => void;
}

/** What HTTP has of an executor on the embedded log. */
export interface Deciding {
  readonly decisions: Decisions;
  readonly ledger: Ledger;
}

/**
 * The executor beside a collector and an analyzer in one process: follows the findings, reads what
 * people put into the inbox, and does what the modes of the rules allow; takes the backups that the
 * settings require.
 * @throws Failure that trying again cannot mend.
 */
export async function runEmbedded(options: EmbeddedOptions, signal: AbortSignal): Promise<void> {
  const { settings, log, onReading, onDeciding, onTrouble } = options;
  const { trusted } = signingOf(settings.signing, onTrouble);
  const file = openStateFile(join(settings.stateDir, EXECUTOR_FILE));
  const inbox = openInbox(settings.stateDir);
  const stop = new AbortController();
  const running = AbortSignal.any([signal, stop.signal]);
  let open: OpenExecutor | undefined;
  try {
    const verified = embeddedLog(log, trusted);
    open = openExecutor({ ...options, ...reports(options), file, log: verified });
    onReading(open.reading);
    onDeciding?.(decidingOn(settings, open, verified, inbox));
    const partition = partitionOf(settings.cluster, PARTITIONS);
    // Decisions made while no executor ran are read before anything is done.
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
    onDeciding?.(undefined);
    await open?.close();
    inbox.close();
    file.close();
  }
}

/** What people decide over HTTP goes into the inbox, as what they decide beside the process. */
function decidingOn(
  settings: Settings,
  { ledger, executor }: OpenExecutor,
  log: Log,
  inbox: Pick<ReturnType<typeof openInbox>, 'add'>,
): Deciding {
  const decisions = decisionsOf({
    settings,
    log,
    ledger,
    proposals: () => executor.proposals({ cluster: settings.cluster }),
    keyId: undefined,
    publish: async (control) => inbox.add(control, new Date()),
  });
  return { decisions, ledger };
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
