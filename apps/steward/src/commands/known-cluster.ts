import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { Failure } from '@ovn-steward/shared/errors';
import { channelOf, type ChannelOptions } from '../inputs/decisions';
import { doubtAboutMemory } from '../inputs/memory-age';
import { readMemory } from '../inputs/read-memory';
import { settingsFrom } from '../inputs/settings';
import type { ReadFrom } from '../report/report';
import { readCluster } from './read-cluster';

export interface KnownClusterOptions extends ChannelOptions {
  /** How long to wait for live sources, in seconds. */
  readonly timeout: number;
}

/** A cluster, and where it was read. */
export interface KnownCluster {
  readonly engine: Engine;
  readonly cluster: string;
  readonly readFrom: ReadFrom;
  /** Why what is known says nothing about now. */
  readonly doubt: string | undefined;
}

/**
 * What a pipeline knows of a cluster where one is named, else one read of the systems.
 * @throws Failure `config-invalid` for both, and as reading does.
 */
export async function knownCluster(options: KnownClusterOptions): Promise<KnownCluster> {
  const fromMemory = options.stateDir !== undefined || options.kafkaBrokers !== undefined;
  if (fromMemory && options.ovnNb !== undefined)
    throw new Failure(
      'config-invalid',
      'Both a pipeline and --ovn-nb were given: name --state-dir or --kafka-brokers for what it knows, or --ovn-nb and --kubernetes to read them now.',
    );
  if (!fromMemory) {
    const { config } = settingsFrom(options);
    const engine = await readCluster(options, config, options.timeout);
    return { engine, cluster: config.cluster, readFrom: 'look', doubt: undefined };
  }
  const channel = await channelOf(options);
  const engine = await readMemory(channel);
  const doubt = await doubtAboutMemory(channel);
  return { engine, cluster: channel.cluster, readFrom: 'memory', doubt };
}
