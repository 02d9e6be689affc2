import { join } from 'node:path';
import type { Command } from 'commander';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { type ActionFilter, followLedger, readLedger } from '@ovn-steward/executor';
import { channelOf } from './decisions';
import { FILES } from './state-files';
import { type LogOptions, openLog } from './log';
import { settingsFrom } from './settings';
import type { ServerOptions, StewardServer } from './steward-server';

/** The options that name a ledger, but for those of a server. */
export const withLedgerOptions = (command: Command): Command =>
  command
    .option(
      '--state-dir <folder>',
      'the state folder of a pipeline or executor, which may be running',
    )
    .option(
      '--kafka-brokers <list>',
      'the log on Kafka: host:port of some brokers, separated by commas; the other settings of kafka say how to log in',
    )
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/** Which actions are meant. */
export type ActionsFilter = Pick<ActionFilter, 'cluster' | 'state' | 'rule' | 'plan' | 'id'>;

/** Actions that can be read again. */
export interface FollowedActions {
  /** `unreadable`: how many records of the log are no actions. @throws Failure as reading does. */
  list(filter: ActionsFilter): Promise<{
    readonly actions: readonly ActionRecord[];
    readonly unreadable: number;
  }>;
  /** One of the list with its proof and what would undo it. */
  whole(action: ActionRecord): Promise<ActionRecord>;
  close(): Promise<void>;
}

/**
 * The actions that are meant: of an executor over HTTP where one is named; of the log on Kafka
 * where brokers are known, unless `--state-dir` names a memory; else of the executor's memory in
 * the state directory. Changes nothing.
 * @throws Failure `config-invalid`; later `input-not-found`, `state-corrupt`, and as reading a log
 *   does.
 */
export async function followedActions(
  options: LogOptions & ServerOptions,
): Promise<FollowedActions> {
  const { stateDir, kafkaBrokers } = options;
  if (options.server !== undefined) {
    const { server } = await channelOf(options);
    return onServer(server!);
  }
  const { config } = settingsFrom(options);
  if (kafkaBrokers === undefined && (stateDir !== undefined || config.kafka.brokers.length === 0))
    return inFile(join(config.stateDir, FILES.executor));
  return onKafka(options);
}

const inFile = (file: string): FollowedActions => ({
  list: async (filter) => readLedger(file, (it) => ({ actions: it.list(filter), unreadable: 0 })),
  whole: (action) => Promise.resolve(action),
  close: () => Promise.resolve(),
});

async function onKafka(options: LogOptions): Promise<FollowedActions> {
  const log = await openLog(options);
  const ledger = followLedger(log);
  const { signal } = new AbortController();
  return {
    list: (filter) =>
      ledger.read(signal, (it, unreadable) => ({ actions: it.list(filter), unreadable })),
    whole: (action) => Promise.resolve(action),
    async close() {
      ledger.close();
      await log.close();
    },
  };
}

const onServer = (server: StewardServer): FollowedActions => ({
  async list({ id, ...named }) {
    const wanted = Object.entries(named).filter(([, it]) => it !== undefined);
    const actions = (await server.actions()).filter(
      (action) =>
        (id === undefined || action.id.startsWith(id)) &&
        wanted.every(([key, value]) => action[key as keyof typeof named] === value),
    );
    return { actions, unreadable: 0 };
  },
  whole: ({ id }) => server.action(id),
  close: () => Promise.resolve(),
});
