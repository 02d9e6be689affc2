import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type ActOptions, emptyInbox, Ledger, moveInbox, openInbox } from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { userProtection } from '@ovn-steward/judgement/protection';
import { claimFolder } from '@ovn-steward/shared/claim-folder';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { privateFolder } from '@ovn-steward/shared/private-files';
import { embeddedLog } from '@ovn-steward/shared/signing/embedded-log';
import { signingOf } from '@ovn-steward/shared/signing/signing-of';
import type { Channel } from '../inputs/decisions';
import { FILES } from '../inputs/state-files';
import { refuseForeign } from './refuse-foreign';
import { takeLock } from './take-lock';

/** Who acts in this process, on what, and what is notified of it. */
export interface HereOptions {
  readonly channel: Channel;
  readonly systems: Systems;
  readonly signal: AbortSignal;
  /** Called with every decision as it is made. */
  readonly onAction: (action: ActionRecord) => void;
  /** Called on interruptions, with one sentence each. */
  readonly report: (source: string, message: string) => void;
}

/** An executor's surroundings in this process. */
export type Here = Omit<ActOptions, 'proposals' | 'onlyPlan'>;

/**
 * Opens the embedded log of a folder for this process; undefined when another one has it.
 * @throws Failure as opening the log does.
 */
export function takeLog(stateDir: string): SqliteLog | undefined {
  privateFolder(stateDir);
  try {
    return openSqliteLog({ file: join(stateDir, FILES.log) });
  } catch (error) {
    if (error instanceof Failure && error.code === 'log-locked') return undefined;
    throw error;
  }
}

/**
 * Runs `act` with all that an executor has, in this process, on the embedded log that no other
 * process has open. What waits in the inbox is read first; what is published meanwhile is read
 * within a second. Closes the log.
 * @throws Failure `other-cluster` where the folder's ledger belongs to other systems; then not even
 *   the lock is requested. `fenced` where an executor on another log acts on the Northbound.
 */
export async function actHere<T>(
  log: SqliteLog,
  stateDir: string,
  { channel, systems, signal, onAction, report }: HereOptions,
  act: (here: Here) => Promise<T>,
): Promise<T> {
  const { cluster, partition, config } = channel;
  const closing: (() => void | Promise<void>)[] = [() => log.close()];
  try {
    claimFolder(stateDir, cluster);
    for (const note of await log.ensureTopics(TOPICS)) report('log', note);
    const file = openStateFile(join(stateDir, FILES.executor));
    closing.unshift(() => file.close());
    await refuseForeign(channel, { log, file, stateDir }, systems, signal);
    await takeLock(systems, signal);
    const inbox = openInbox(stateDir);
    closing.unshift(() => inbox.close());
    await emptyInbox({ inbox, log, partition });
    closing.unshift(movingFrom(inbox, log, partition, report));
    let foreign: string | undefined;
    const acted = await act({
      cluster,
      partition,
      systems,
      log: embeddedLog(log, signingOf(config.signing, (it) => report('signing', it)).trusted),
      file,
      ledger: new Ledger(file),
      heardAs: hostname(),
      settings: config.executor,
      isProtected: userProtection(config.protect),
      uninstalled: config.uninstalled,
      rules: config.rules,
      fence: async () => {},
      clock: () => new Date(), // the holder of the log acts on the cluster
      onEvent: (event) => {
        if (event.type === 'action') onAction(event.action);
        else if (event.type === 'trouble') report('log', event.what);
        else if (event.type === 'waits') report('executor', event.why);
        else if (event.type === 'other-cluster' && event.what === 'turn') foreign = event.why;
      },
    });
    if (foreign !== undefined) throw new Failure('other-cluster', foreign);
    return acted;
  } finally {
    for (const close of closing) await close();
  }
}

/** Moves into the log what comes into the inbox, until what it returns is called. */
function movingFrom(
  inbox: ReturnType<typeof openInbox>,
  log: SqliteLog,
  partition: number,
  report: HereOptions['report'],
): () => Promise<void> {
  const listening = new AbortController();
  const moving = moveInbox({
    inbox,
    log,
    partition,
    signal: listening.signal,
    onTrouble: (message) => report('inbox', message),
  });
  return () => {
    listening.abort();
    return moving;
  };
}
