import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAction } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { LogBatch } from '@ovn-steward/shared/log/log';
import { readBeside } from '@ovn-steward/shared/log/sqlite-read-beside';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import { FILES } from './state-files';
import type { Channel } from './decisions';
import { openLog } from './log';

const MAX_RECORDS = 500;

/**
 * What was decided and done in a cluster, as its log has it; read beside the process that writes
 * it.
 */
export interface ActionRecords {
  /** Reads on to the end. @throws Failure as reading a log does. */
  catchUp(): Promise<void>;
  of(id: string): ActionRecord | undefined;
  all(): Iterable<ActionRecord>;
  close(): Promise<void>;
}

/**
 * @param keep which are remembered: an undo record may be large.
 * @throws Failure `input-not-found`, and as opening a log does.
 */
export async function actionRecords(
  channel: Channel,
  keep: (action: ActionRecord) => boolean = () => true,
): Promise<ActionRecords> {
  const { cluster, partition, server } = channel;
  if (server !== undefined) {
    const known = (await server.actions()).filter((it) => it.cluster === cluster && keep(it));
    const byId = new Map(known.map((it) => [it.id, it]));
    return {
      catchUp: async () => {},
      of: (id) => byId.get(id),
      all: () => known,
      close: async () => {},
    };
  }
  const { read, close } = await reader(channel);
  const actions = new Map<string, ActionRecord>();
  let from = 0n;
  const take = ({ records }: LogBatch): void => {
    for (const record of records) {
      const entry = readAction(partition, record);
      if ('forgotten' in entry) actions.delete(entry.forgotten);
      else if (
        'action' in entry &&
        entry.action.cluster === cluster &&
        keep(entry.action) &&
        entry.action.revision >= (actions.get(entry.action.id)?.revision ?? 0)
      )
        actions.set(entry.action.id, entry.action);
    }
  };
  return {
    async catchUp() {
      for (;;) {
        const batch = await read(from);
        take(batch);
        if (batch.records.length === 0 && batch.next === from) return;
        from = batch.next;
      }
    },
    of: (id) => actions.get(id),
    all: () => actions.values(),
    close,
  };
}

async function reader({
  stateDir,
  partition,
  options,
}: Channel): Promise<{ read(from: bigint): Promise<LogBatch>; close(): Promise<void> }> {
  if (stateDir === undefined) {
    const log = await openLog(options);
    return {
      read: (from) => log.read(ACTIONS, partition, from, MAX_RECORDS),
      close: () => log.close(),
    };
  }
  const file = join(stateDir, FILES.log);
  if (!existsSync(file))
    throw new Failure(
      'input-not-found',
      `There is no event log ${file}: name the folder of a pipeline with --state-dir, or the brokers of Kafka with --kafka-brokers.`,
    );
  return {
    read: async (from) => readBeside(file, ACTIONS, partition, from, MAX_RECORDS),
    close: async () => {},
  };
}
