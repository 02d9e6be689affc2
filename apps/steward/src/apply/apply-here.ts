import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { emptyInbox, Ledger, moveInbox, openExecutorFile, openInbox, type Plan, runPlan, type Systems } from '@ovn-steward/executor';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { claimFolder } from '@ovn-steward/shared/claim-folder';
import { Failure } from '@ovn-steward/shared/errors';
import type { Action } from '@ovn-steward/shared/events/action';
import { type Control, controlKey } from '@ovn-steward/shared/events/control';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Channel } from '../inputs/decisions';
import { FILES } from '../pipeline';
import { standingOf } from './standing';

export interface ApplyOptions {
  readonly plan: Plan;
  readonly channel: Channel;
  readonly overCeilings: boolean;
  readonly systems: Systems;
  readonly signal: AbortSignal;
  /** Told of every decision about the plan, as it is made. */
  readonly onAction: (action: Action) => void;
  /** Told of interruptions, one sentence each. */
  readonly note: (source: string, message: string) => void;
}

/** Opens the embedded log of a folder for this process; undefined when another one has it. @throws Failure as opening the log does. */
export function takeLog(stateDir: string): SqliteLog | undefined {
  mkdirSync(stateDir, { recursive: true });
  try {
    return openSqliteLog({ file: join(stateDir, FILES.log) });
  } catch (error) {
    if (error instanceof Failure && error.code === 'log-locked') return undefined;
    throw error;
  }
}

/**
 * Carries a plan out in this process, on the embedded log that nobody else has: what waits in the inbox is heard first, and what is told meanwhile
 * within a second. Closes the log.
 * @returns what was decided about its entries. @throws Failure as `runPlan` does.
 */
export async function applyHere(log: SqliteLog, stateDir: string, { plan, channel, overCeilings, systems, signal, onAction, note }: ApplyOptions): Promise<readonly Action[]> {
  const { cluster, partition, config, by } = channel;
  const closing: (() => void | Promise<void>)[] = [() => log.close()];
  try {
    claimFolder(stateDir, cluster);
    await log.ensureTopics(TOPICS);
    const inbox = openInbox(stateDir);
    closing.unshift(() => inbox.close());
    await emptyInbox({ inbox, log, partition });
    const file = openExecutorFile(join(stateDir, FILES.executor));
    closing.unshift(() => file.close());
    const listening = new AbortController();
    const moving = moveInbox({ inbox, log, partition, signal: listening.signal, onTrouble: (message) => note('inbox', message) });
    closing.unshift(() => {
      listening.abort();
      return moving;
    });
    const ledger = new Ledger(file);
    // What is not done then must not be done later, when nobody looks.
    closing.unshift(() => (standingOf(plan, (id) => ledger.get(id)).ended ? undefined : withdraw(log, channel, plan)));
    return await runPlan({
      plan, by, overCeilings, cluster, partition, systems, log, file, ledger, settings: config.executor, isProtected: protectionOf(config.protect),
      fence: async () => {}, clock: () => new Date(), // whoever has the log has the cluster
      onEvent: (event) => {
        if (event.type === 'action') onAction(event.action);
        else if (event.type === 'trouble') note('log', event.what);
        else if (event.type === 'waits') note('executor', event.why);
      },
    }, signal);
  } finally {
    for (const close of closing) await close();
  }
}

async function withdraw(log: SqliteLog, { cluster, partition, by }: Channel, { id }: Plan): Promise<void> {
  const now = new Date();
  const control: Control = { type: 'withdraw', version: 1, id: randomUUID(), cluster, by, at: now.toISOString(), of: `plan/${id}` };
  await log.append(CONTROL, partition, [{ key: controlKey(control), value: JSON.stringify(control), headers: { id: control.id }, timestamp: now.getTime() }]);
}
