import type { ISocketFactory } from 'kafkajs';

/** PEM texts. Without `ca` the authorities Node trusts are; `cert` and `key` come together. */
export interface KafkaTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** All in ms. */
export interface KafkaTiming {
  /** Until a connection stands, or is given up. */
  readonly connectMs: number;
  /** Until a broker answers, or the request is given up. */
  readonly requestMs: number;
  /** Until an append is given up, with all its tries. */
  readonly appendMs: number;
  /** Until any other request to the brokers is given up, with all its tries. */
  readonly queryMs: number;
  /** Between two tries, at first; doubles up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** Until the brokers give a silent reader's partitions to others. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** The longest that a broker waits for records before it answers that there are none. */
  readonly pollMs: number;
  /** A reader that neither fetched nor sent a heartbeat for so long hangs, and is replaced. */
  readonly stallMs: number;
  /** Before a reader that broke down is replaced, at first; doubles twice. */
  readonly backoffMs: number;
}

/** For a cluster near by that may be restarted broker by broker. */
export const KAFKA_TIMING: KafkaTiming = {
  connectMs: 3000,
  requestMs: 10_000,
  appendMs: 15_000,
  queryMs: 15_000,
  retryMs: 100,
  maxRetryMs: 2000,
  sessionMs: 10_000,
  heartbeatMs: 2000,
  pollMs: 300,
  stallMs: 15_000,
  backoffMs: 500,
};

/** Something went on behind the port that its operator wants to know. */
export interface KafkaLogEvent {
  readonly type:
    | 'producer-replaced'
    | 'admin-replaced'
    | 'consumer-restarted'
    | 'partitions-assigned'
    | 'partitions-revoked';
  /** A sentence, without secrets. */
  readonly detail: string;
  readonly group?: string;
  readonly topic?: string;
  readonly partitions?: readonly number[];
}

export interface KafkaLogOptions {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /**
   * What the topics' names begin with there, and the groups'; `steward.` by default, and then
   * groups have no prefix. Messages about topics name them as we do.
   */
  readonly topicPrefix?: string;
  /** Copies of the topics it creates. */
  readonly replicationFactor: number;
  /**
   * Encrypts; called for each connection, so that renewed files need no restart. `{}` trusts the
   * authorities that Node trusts. Must not throw.
   */
  readonly tls?: () => KafkaTls;
  readonly sasl?: KafkaSasl;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: KafkaLogEvent) => void;
  readonly timing?: Partial<KafkaTiming>;
  /** For tests: what comes between us and the brokers. */
  readonly socketFactory?: ISocketFactory;
}
