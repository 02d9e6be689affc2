import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a broker can listen for: clients without any security, other controllers, and clients with
 * TLS, TLS both ways, or SASL over TLS.
 */
export type Listener = 'PLAIN' | 'CONTROLLER' | 'TLS' | 'MUTUAL' | 'SASL';

const PROTOCOL: Readonly<Record<Listener, string>> = {
  PLAIN: 'PLAINTEXT',
  CONTROLLER: 'PLAINTEXT',
  TLS: 'SSL',
  MUTUAL: 'SSL',
  SASL: 'SASL_SSL',
};

/** One broker, before its files are written. */
export interface Place {
  readonly id: number;
  readonly ports: Readonly<Partial<Record<Listener, number>>>;
}

/** A broker that can be formatted and started. */
export interface LaidOut extends Place {
  /** Its server.properties. */
  readonly settings: string;
  /** Its data folder; formatting makes it. */
  readonly data: string;
  readonly log: string;
}

export interface LayoutOptions {
  /** The address servers listen on. */
  readonly listen: string;
  /** Further or other server properties. */
  readonly properties?: Readonly<Record<string, string>>;
}

/**
 * Writes a server.properties for each broker of a KRaft cluster; every broker is a controller as
 * well.
 */
export function layOut(
  folder: string,
  places: readonly Place[],
  { listen, properties = {} }: LayoutOptions,
): readonly LaidOut[] {
  const voters = places.map(({ id, ports }) => `${id}@127.0.0.1:${ports.CONTROLLER}`).join(',');
  return places.map((place) => {
    const settings = join(folder, `${place.id}.properties`);
    const data = join(folder, `${place.id}.data`);
    const all = {
      ...nodeProperties(place, voters, data, listen),
      ...clusterProperties(places.length),
      ...properties,
    };
    writeFileSync(
      settings,
      Object.entries(all)
        .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`)
        .join(''),
      { mode: 0o600 },
    );
    return { ...place, settings, data, log: join(folder, `${place.id}.log`) };
  });
}

function nodeProperties(
  { id, ports }: Place,
  voters: string,
  data: string,
  listen: string,
): Record<string, string> {
  const listeners = Object.entries(ports);
  const at = (host: string, names: readonly (readonly [string, number])[]): string =>
    names.map(([name, port]) => `${name}://${host}:${port}`).join(',');
  return {
    'process.roles': 'broker,controller',
    'node.id': String(id),
    'controller.quorum.voters': voters,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAIN',
    listeners: at(listen, listeners),
    'advertised.listeners': at(
      '127.0.0.1',
      listeners.filter(([name]) => name !== 'CONTROLLER'),
    ),
    'listener.security.protocol.map': Object.entries(PROTOCOL)
      .map(([name, protocol]) => `${name}:${protocol}`)
      .join(','),
    'log.dirs': data,
  };
}

/**
 * What a broker needs to be small, to be ready soon, and to take a crashed node back without
 * waiting for its old session.
 */
function clusterProperties(size: number): Record<string, string> {
  const [copies, inSync] = size === 1 ? ['1', '1'] : ['3', '2'];
  return {
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '1',
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.num.partitions': '1',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'log.cleaner.dedupe.buffer.size': '8388608',
    'log.cleaner.backoff.ms': '1000',
    'log.initial.task.delay.ms': '1000',
    'log.retention.check.interval.ms': '5000',
    'log.index.size.max.bytes': '1048576',
    'num.network.threads': '1',
    'num.io.threads': '2',
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
  };
}
