import { auditDocument, outlookReports, subnetReports } from '@ovn-steward/analyzer';
import type { OutlookReports, SubnetReport } from '@ovn-steward/analyzer';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { addressLedger } from '@ovn-steward/judgement/health/address-ledger';
import { Failure } from '@ovn-steward/shared/errors';
import { channelOf, type ChannelOptions } from '../inputs/decisions';
import { doubtAboutMemory } from '../inputs/memory-age';
import { readMemory } from '../inputs/read-memory';
import { settingsFrom } from '../inputs/settings';
import { doubtAboutServer, doubtAboutSources } from '../inputs/source-doubt';
import type { StewardServer } from '../inputs/steward-server';
import type { ReadFrom } from '../report/report';
import type { SubnetLedger } from '../subnets/ledger-table';
import { readCluster } from './read-cluster';

export interface KnownClusterOptions extends ChannelOptions {
  /** How long to wait for live sources, in seconds. */
  readonly timeout: number;
}

/** The subnets of a cluster, and the sums of them. */
export interface KnownSubnets extends OutlookReports {
  readonly asOf: string;
  /** Whether every Subnet is known. */
  readonly complete: boolean;
  readonly subnets: readonly SubnetReport[];
}

/** A cluster, and where it was read. Reading further asks a server where one was named. */
export interface KnownCluster {
  readonly cluster: string;
  readonly readFrom: ReadFrom;
  /** Why what is known says nothing about now. */
  readonly doubt: string | undefined;
  document(): Promise<AuditDocument>;
  subnets(): Promise<KnownSubnets>;
  ledgers(subnets: readonly string[]): Promise<readonly SubnetLedger[]>;
}

/**
 * What a pipeline or a server knows of a cluster where one is named, else one read of the systems.
 * @throws Failure `config-invalid` for both, and as reading does.
 */
export async function knownCluster(options: KnownClusterOptions): Promise<KnownCluster> {
  const { stateDir, kafkaBrokers, server } = options;
  const fromMemory = [stateDir, kafkaBrokers, server].some((it) => it !== undefined);
  if (fromMemory && options.ovnNb !== undefined)
    throw new Failure(
      'config-invalid',
      'Both a pipeline and --ovn-nb were given: name --state-dir, --kafka-brokers or --server for what it knows, or --ovn-nb and --kubernetes to read them now.',
    );
  if (!fromMemory) {
    const { config } = settingsFrom(options);
    const engine = await readCluster(options, config, options.timeout);
    return { readFrom: 'look', doubt: undefined, ...inEngine(engine, config.cluster) };
  }
  const channel = await channelOf(options);
  if (channel.server !== undefined) return onServer(channel.server, channel.cluster);
  const engine = await readMemory(channel);
  const doubt = await doubtAboutMemory(channel);
  return { readFrom: 'memory', doubt, ...inEngine(engine, channel.cluster) };
}

const inEngine = (
  engine: Engine,
  cluster: string,
): Pick<KnownCluster, 'cluster' | 'document' | 'subnets' | 'ledgers'> => ({
  cluster,
  document: () => Promise.resolve(auditDocument(engine, cluster)),
  subnets: () =>
    Promise.resolve({
      asOf: engine.now,
      complete: engine.world.knows('Subnet'),
      subnets: subnetReports(engine),
      ...outlookReports(engine),
    }),
  ledgers: (subnets) =>
    Promise.resolve(
      subnets.map((subnet) => ({ subnet, addresses: addressLedger(engine.world, subnet) ?? null })),
    ),
});

async function onServer(server: StewardServer, cluster: string): Promise<KnownCluster> {
  const known = server.knowledge(cluster);
  const sources = await known.sources();
  return {
    cluster,
    readFrom: 'memory',
    doubt:
      sources === undefined
        ? doubtAboutServer(server.url)
        : doubtAboutSources(sources, `the cluster ${cluster}`, Date.now()),
    document: () => known.document(),
    async subnets() {
      const { asOf, complete, subnets, vpcs, all } = await known.subnets();
      return { asOf: asOf ?? '', complete, subnets, vpcs, total: all };
    },
    async ledgers(subnets) {
      const ledgers: SubnetLedger[] = [];
      for (const subnet of subnets) ledgers.push(await known.addresses(subnet));
      return ledgers;
    },
  };
}
