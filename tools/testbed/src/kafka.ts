import { readFileSync } from 'node:fs';
import { allow } from './kafka/acls';
import { authorizationsIn } from './kafka/authorizations';
import { startBroker } from './kafka/broker';
import type { KafkaCluster, KafkaNode, KafkaOptions, KafkaSecurity } from './kafka/cluster';
import { externalKafka } from './kafka/external';
import { formatStorage, makeKafkaId } from './kafka/format';
import { layOut, type LaidOut, type Listener, type Place } from './kafka/layout';
import { writeSecurity, type WrittenSecurity } from './kafka/security';
import { openKafkaSite, type KafkaSite } from './kafka/site';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import type { Server } from './run/server';

export type { KafkaCluster, KafkaSecurity } from './kafka/cluster';

/**
 * Starts Apache Kafka (KRaft) on 127.0.0.1, topics not made by themselves: one broker is ready in
 * two to three seconds with 150 MB of memory, three in six. With STEWARD_TEST_KAFKA set, and
 * nothing asked for that only brokers of our own can give, those are used instead.
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
async function startIn(
  folder: string,
  places: readonly Place[],
  { security, properties }: KafkaOptions,
  undo: (() => unknown)[],
): Promise<Omit<KafkaCluster, 'stop'>> {
  const written = security === undefined ? undefined : writeSecurity(folder, security.users);
  const site = await openKafkaSite(
    folder,
    places.flatMap((place) => Object.values(place.ports)),
  );
  undo.push(() => site.close());
  const laidOut = layOut(folder, places, {
    listen: site.listen,
    properties: { ...written?.properties, ...properties },
  });
  const nodes = laidOut.map((place) => makeNode(site, place));
  undo.push(() => Promise.all(nodes.map((node) => node.kill()))); // the data goes anyway, and an orderly end of all would wait for a quorum
  const bootstrap = addresses(places, 'PLAIN');
  const formatting = { clusterId: makeKafkaId(), further: written?.format ?? [] };
  await Promise.all(laidOut.map((each) => formatStorage(site, site.java, each, formatting)));
  await Promise.all(nodes.map((node) => node.start()));
  await allow(bootstrap, security?.acls ?? []);
  return {
    bootstrap,
    nodes,
    ...(written === undefined ? {} : { security: securityOf(laidOut, written) }),
    allow: (acls) => allow(bootstrap, acls),
  };
}

async function claimPlaces({ brokers = 1, security }: KafkaOptions): Promise<readonly Place[]> {
  const listeners: readonly Listener[] = [
    'PLAIN',
    'CONTROLLER',
    ...(security === undefined ? [] : (['TLS', 'MUTUAL', 'SASL'] as const)),
  ];
  const place = async (id: number): Promise<Place> => ({
    id,
    ports: Object.fromEntries(
      await Promise.all(listeners.map(async (name) => [name, await claimPort()] as const)),
    ),
  });
  return Promise.all(Array.from({ length: brokers }, (_, index) => place(index + 1)));
}

const addresses = (places: readonly Place[], listener: Listener): string[] =>
  places.map(({ ports }) => `127.0.0.1:${ports[listener]}`);

const securityOf = (places: readonly LaidOut[], { pem }: WrittenSecurity): KafkaSecurity => ({
  ...pem,
  tls: addresses(places, 'TLS'),
  mutualTls: addresses(places, 'MUTUAL'),
  sasl: addresses(places, 'SASL'),
  allowed: () => authorizationsIn(places.map(({ log }) => readFileSync(log, 'utf8')).join('')),
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
