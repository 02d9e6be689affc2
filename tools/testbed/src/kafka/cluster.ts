import type { KafkaAcl } from './acls';
import type { KafkaAuthorization } from './authorizations';
import type { KafkaPem, KafkaUser } from './security';

export interface KafkaOptions {
  /**
   * One broker by default; three keep three copies of Kafka's own topics, of which two must be in
   * sync, and survive one dead.
   */
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
  /**
   * An orderly end, about 2 s. Of three, the third to go finds no quorum and is killed after ten
   * seconds.
   */
  stop(): Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port and data: 1.5 to 4 s. */
  start(): Promise<void>;
  /**
   * Stops it from running without closing its connections: to others it looks like a network gone
   * silent.
   */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Where a cluster with security listens besides, and what its clients need. */
export interface KafkaSecurity extends KafkaPem {
  /**
   * `host:port` of the listeners with TLS alone: who comes there is anonymous, and may do
   * everything.
   */
  readonly tls: readonly string[];
  /** TLS where the client has to show a certificate of `ca`; the one given may do everything. */
  readonly mutualTls: readonly string[];
  /** SASL (PLAIN, SCRAM-SHA-256, SCRAM-SHA-512) over TLS: users may do what is allowed to them. */
  readonly sasl: readonly string[];
  /** What the brokers allowed users to do so far. */
  allowed(): readonly KafkaAuthorization[];
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
