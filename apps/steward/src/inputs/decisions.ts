import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { appendDecisions, openInbox } from '@ovn-steward/executor';
import { claimFolder, ofAnotherCluster } from '@ovn-steward/shared/claim-folder';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CONTROL, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { readSigningKey, signatureFor } from '@ovn-steward/shared/signing/signing-key';
import { requireApproverKey, signingOf } from '@ovn-steward/shared/signing/signing-of';
import { safeText } from '@ovn-steward/shared/safe-text';
import { clustersOn } from './clusters';
import { openLog } from './log';
import { openServer, type ServerOptions, type StewardServer } from './steward-server';
import type { InputOptions } from './options';
import { settingsFrom } from './settings';
import { reportOption } from './report-option';
import { withOptions } from './with-options';

/** Which executor reads a decision, and whose decision it is, as the command line says it. */
export interface ChannelOptions extends InputOptions, ServerOptions {
  readonly stateDir?: string;
  readonly kafkaBrokers?: string;
  readonly by?: string;
}

/** A decision, as the command line says it. */
export interface DecisionOptions extends ChannelOptions {
  readonly output: 'text' | 'json';
}

/** The options of every command that says where its executor is. */
export const withChannel = (command: Command): Command =>
  command
    .option('--state-dir <folder>', 'a pipeline of steward run, whether or not it is running')
    .option(
      '--kafka-brokers <list>',
      'services on Kafka: host:port of some brokers, separated by commas; the other settings of kafka say how to log in',
    );

/** The options of every command that may decide over HTTP. */
export const withServer = (command: Command): Command =>
  command
    .option(
      '-s, --server <url>',
      'an executor over HTTP, or to read an analyzer or steward run, such as https://ovn-steward-executor.ovn-steward:9470; you are who your kubeconfig says',
    )
    .option('--server-ca <file>', 'with --server: the authority of its certificate, PEM')
    .option(
      '--token-file <file>',
      'with --server: a token that proves who you are, in place of that of your kubeconfig',
    );

/** The options of every command that publishes a decision and does no more. */
export const withDecision = (command: Command): Command =>
  withOptions(command, withChannel, withServer)
    .option('--cluster <name>', 'the cluster it is about')
    .option(
      '--by <name>',
      'who decides; recorded. You, as user@host, by default; with --server whom the token names',
    )
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(reportOption());

/** How the executor of a cluster gets what people decide. */
export interface Channel {
  readonly config: Settings;
  readonly cluster: string;
  readonly partition: number;
  readonly by: string;
  /** The folder of a pipeline with the embedded log; undefined: Kafka. */
  readonly stateDir: string | undefined;
  /** The executor that is reached over HTTP, where one is named. */
  readonly server?: StewardServer | undefined;
  /** As given, for opening the same log again. */
  readonly options: ChannelOptions;
}

/**
 * @throws Failure `config-invalid`; on Kafka without the name of a cluster it says which clusters
 *   there are.
 */
export async function channelOf(options: ChannelOptions): Promise<Channel> {
  const { stateDir, kafkaBrokers } = options;
  const ways = [stateDir, kafkaBrokers, options.server].filter((it) => it !== undefined);
  if (ways.length > 1)
    throw new Failure(
      'config-invalid',
      'More than one of --state-dir, --kafka-brokers and --server was given: name the one that is meant.',
    );
  if (options.server !== undefined) return serverChannel(options, options.server);
  const { config, effective } = settingsFrom(options);
  const onKafka = stateDir === undefined && config.kafka.brokers.length > 0;
  const named = effective.some((it) => it.path === 'cluster' && it.origin !== 'default');
  if (onKafka && !named)
    throw new Failure(
      'config-invalid',
      `On Kafka the cluster must be named, since brokers may serve several: give --cluster, or cluster in the settings (--config). ${await clustersText(options)}`,
    );
  const owner = onKafka ? undefined : ownerOf(config.stateDir);
  if (named && owner !== undefined && owner !== config.cluster)
    throw ofAnotherCluster(config.stateDir, owner, config.cluster);
  const cluster = owner ?? config.cluster;
  return {
    config: { ...config, cluster },
    cluster,
    partition: partitionOf(cluster, PARTITIONS),
    by: options.by ?? me(),
    stateDir: onKafka ? undefined : config.stateDir,
    options,
  };
}

/**
 * The server then decides whose decision it is and about which cluster; a name that is given must
 * be its cluster's.
 */
async function serverChannel(options: ChannelOptions, url: string): Promise<Channel> {
  if (options.by !== undefined)
    throw new Failure(
      'config-invalid',
      'With --server it is recorded whom the server knows by the token: leave --by out. Nothing was decided.',
    );
  const { config, effective } = settingsFrom(options);
  const server = await openServer(url, options, config.kubernetes);
  const named = effective.some((it) => it.path === 'cluster' && it.origin !== 'default');
  const cluster = named ? config.cluster : await server.cluster();
  return {
    config: { ...config, cluster },
    cluster,
    partition: partitionOf(cluster, PARTITIONS),
    by: me(),
    stateDir: undefined,
    server,
    options,
  };
}

/** Which clusters there are, in a sentence; that they cannot be read is one, too. */
async function clustersText(options: ChannelOptions): Promise<string> {
  try {
    const log = await openLog(options);
    try {
      const names = await clustersOn(log);
      return names.length === 0
        ? 'No collector has published anything of a cluster there.'
        : `There are: ${names.map((it) => safeText(it)).join(', ')}.`;
    } finally {
      await log.close();
    }
  } catch (error) {
    return `The clusters there cannot be listed: ${messageOf(error)}`;
  }
}

/** The cluster a state directory belongs to, if it belongs to one yet. */
function ownerOf(stateDir: string): string | undefined {
  const file = join(stateDir, 'cluster');
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined;
}

function me(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}@${hostname()}`; // a container's user may have no name
  }
}

/**
 * Where a decision is now. `log`: on Kafka. `taken`: the running pipeline has it. `waiting`: in the
 * folder, for the next that runs. `server`: the executor that was reached over HTTP has published
 * it.
 */
export type DecisionReceipt = 'log' | 'taken' | 'waiting' | 'server';

/** A running pipeline reads what is published within a quarter of a second. */
const TAKEN_WITHIN_MS = 1500;
const POLL_INTERVAL_MS = 50;

/**
 * Publishes decisions, in their order.
 * @throws Failure as appending to a log does, `config-invalid`, `state-corrupt`; `input-not-found`
 *   for a folder in which no pipeline ever ran, and so none reads it.
 */
export async function publishDecisions(
  channel: Channel,
  controls: readonly Control[],
): Promise<DecisionReceipt> {
  if (channel.server !== undefined) return channel.server.decide(controls);
  return channel.stateDir === undefined
    ? appendToKafka(channel, controls)
    : addToInbox(channel, channel.stateDir, controls);
}

async function appendToKafka(
  { partition, options, config }: Channel,
  controls: readonly Control[],
): Promise<DecisionReceipt> {
  requireApproverKey(signingOf(config.signing, () => undefined));
  const log = await openLog(options);
  try {
    await appendDecisions(log, partition, controls);
    return 'log';
  } finally {
    await log.close();
  }
}

/**
 * Whether decisions for a pipeline with the embedded log are signed: it verifies that where its
 * settings say whom to trust, and needs it for nothing else.
 */
export const signsInFolder = (
  config: Settings,
): config is Settings & { readonly signing: { readonly keyFile: string } } =>
  config.signing.keyFile !== undefined && config.signing.trustedKeys !== undefined;

async function addToInbox(
  { cluster, partition, config }: Channel,
  stateDir: string,
  controls: readonly Control[],
): Promise<DecisionReceipt> {
  if (ownerOf(stateDir) === undefined)
    throw new Failure(
      'input-not-found',
      `${stateDir} is not the state directory of a pipeline, so nothing would act on this; nothing was written. Name the folder of the pipeline with --state-dir or in the settings (--config), or the services with --kafka-brokers.`,
    );
  claimFolder(stateDir, cluster);
  const key = signsInFolder(config) ? readSigningKey(config.signing.keyFile) : undefined;
  const inbox = openInbox(stateDir);
  try {
    for (const control of controls) {
      const at = new Date();
      const record = encodeControl(control, at.getTime());
      const signature =
        key && signatureFor({ ...record, topic: CONTROL, partition }, key, at.getTime());
      inbox.add(control, at, signature);
    }
    for (
      const end = performance.now() + TAKEN_WITHIN_MS;
      performance.now() < end;
      await sleep(POLL_INTERVAL_MS)
    )
      if (!controls.some(({ id }) => inbox.has(id))) return 'taken';
    return 'waiting';
  } finally {
    inbox.close();
  }
}
