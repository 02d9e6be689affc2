import { allow, type KafkaAcl } from './kafka/acls';
import { formatStorage, makeClusterId, startBroker } from './kafka/broker';
import { externalKafka } from './kafka/external';
import { layOut, type LaidOut, type Listener, type Place } from './kafka/layout';
import { writeSecurity, type KafkaPem, type KafkaUser, type WrittenSecurity } from './kafka/security';
import { openKafkaSite, type KafkaSite } from './kafka/site';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import type { Server } from './run/server';

export interface KafkaOptions {
  /** One broker unless told; three keep three copies of Kafka's own topics, of which two must be in sync, and survive one dead. */
  readonly brokers?: 1 | 3;
  /** Listen for TLS and SASL as well, and check rights. */
  readonly security?: { readonly users: readonly KafkaUser[]; readonly acls?: readonly KafkaAcl[] };
  /** Further or other server properties, of every broker. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** One broker; it is a controller of the cluster as well. */
export interface KafkaNode {
  readonly id: number;
  readonly port: number;
  /** `127.0.0.1:PORT`, without any security. */
  readonly address: string;
  running(): boolean;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** An orderly end, about 2 s. Of three, the third to go finds no quorum and is killed after ten seconds. */
  stop(): Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port and data: 1.5 to 4 s. */
  start(): Promise<void>;
  /** Stops it from running without closing its connections: to others it looks like a network gone silent. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Where a cluster with security listens besides, and what its clients need. */
export interface KafkaSecurity extends KafkaPem {
  /** `host:port` of the listeners with TLS alone: who comes there is anonymous, and may do everything. */
  readonly tls: readonly string[];
  /** TLS where the client has to show a certificate of `ca`; the one given may do everything. */
  readonly mutualTls: readonly string[];
  /** SASL (PLAIN, SCRAM-SHA-256, SCRAM-SHA-512) over TLS: users may do what is allowed to them. */
  readonly sasl: readonly string[];
}

export interface KafkaCluster {
  /** `host:port` of every broker's listener without security; who comes there may do everything. */
  readonly bootstrap: string[];
  readonly nodes: readonly KafkaNode[];
  readonly security?: KafkaSecurity;
  /** Adds access control lists. */
  allow(acls: readonly KafkaAcl[]): Promise<void>;
  /** Ends every broker and removes their files. */
  stop(): Promise<void>;
}

/**
 * Starts Apache Kafka (KRaft) on 127.0.0.1, topics not made by themselves: one broker is ready in two to three seconds with 150 MB of
 * memory, three in six. With STEWARD_TEST_KAFKA set, and nothing asked for that only brokers of our own can give, those are used instead.
 */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaCluster> {
  const external = externalKafka(options);
  if (external !== undefined) return external;
  const folder = makeScratch('kafka');
  const places = await claimPlaces(options);
  const ports = places.flatMap((place) => Object.values(place.ports));
  const undo: (() => unknown)[] = [() => ports.forEach(releasePort), () => removeScratch(folder)];
  const stop = async (): Promise<void> => {
    for (const each of undo.splice(0).reverse()) await each();
  };
  try {
    return { ...(await startIn(folder, places, options, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the brokers; `undo` gets what ends them, last first. */
async function startIn(folder: string, places: readonly Place[], { security, properties }: KafkaOptions, undo: (() => unknown)[]): Promise<Omit<KafkaCluster, 'stop'>> {
  const written = security === undefined ? undefined : writeSecurity(folder, security.users);
  const site = await openKafkaSite(folder, places.flatMap((place) => Object.values(place.ports)));
  undo.push(() => site.close());
  const laidOut = layOut(folder, places, { listen: site.listen, properties: { ...written?.properties, ...properties } });
  const nodes = laidOut.map((place) => makeNode(site, place));
  undo.push(() => Promise.all(nodes.map((node) => node.kill()))); // the data goes anyway, and an orderly end of all would wait for a quorum
  const bootstrap = addresses(places, 'PLAIN');
  const clusterId = makeClusterId();
  await Promise.all(laidOut.map((each) => formatStorage(site, site.java, each, written?.format ?? [], clusterId)));
  await Promise.all(nodes.map((node) => node.start()));
  await allow(bootstrap, security?.acls ?? []);
  return { bootstrap, nodes, ...(written === undefined ? {} : { security: securityOf(places, written) }), allow: (acls) => allow(bootstrap, acls) };
}

async function claimPlaces({ brokers = 1, security }: KafkaOptions): Promise<readonly Place[]> {
  const listeners: readonly Listener[] = ['PLAIN', 'CONTROLLER', ...(security === undefined ? [] : (['TLS', 'MUTUAL', 'SASL'] as const))];
  const place = async (id: number): Promise<Place> => ({ id, ports: Object.fromEntries(await Promise.all(listeners.map(async (name) => [name, await claimPort()] as const))) });
  return Promise.all(Array.from({ length: brokers }, (_, index) => place(index + 1)));
}

const addresses = (places: readonly Place[], listener: Listener): string[] => places.map(({ ports }) => `127.0.0.1:${ports[listener]}`);

const securityOf = (places: readonly Place[], { pem }: WrittenSecurity): KafkaSecurity => ({
  ...pem,
  tls: addresses(places, 'TLS'),
  mutualTls: addresses(places, 'MUTUAL'),
  sasl: addresses(places, 'SASL'),
});

function makeNode(site: KafkaSite, place: LaidOut): KafkaNode {
  const port = place.ports.PLAIN ?? 0;
  let server: Server | undefined;
  return {
    id: place.id,
    port,
    address: `127.0.0.1:${port}`,
    running: () => server?.running() === true,
    kill: async () => server?.kill(),
    stop: async () => server?.stop(),
    start: async () => {
      if (server?.running() === true) throw new Error(`Kafka ${place.id} is running already`);
      server = await startBroker(site, site.java, place);
    },
    pause: async () => server?.signal('SIGSTOP'),
    resume: async () => server?.signal('SIGCONT'),
  };
}
