import { Failure, type FailureCode, messageOf } from '../errors';
import { tlsTrouble } from '../tls-code';

/** Who accesses which brokers: what a failure's sentence names beside the thing itself. */
export interface KafkaAccess {
  /** `host:port`, as configured. */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly mechanism?: string;
}

/** What the errors of kafkajs and of Node's sockets are known by; never by their texts. */
interface Known {
  readonly name?: string;
  readonly type?: string;
  readonly code?: string | number;
  readonly broker?: string;
  readonly message?: string;
}

type Sentence = (error: Known, access: KafkaAccess) => string;
type Meaning = readonly [FailureCode, Sentence];

const as = ({ user }: KafkaAccess): string =>
  user === undefined ? 'this client' : `the user ${user}`;
const always =
  (text: string): Sentence =>
  () =>
    text;

const DENIED: Meaning = [
  'log-forbidden',
  (_, access) =>
    `${as(access)} is not allowed to. Grant it on the topic: Describe and Read to read, Describe and Write to append, Create, Describe and DescribeConfigs to make and verify it`,
];
const DENIED_GROUP: Meaning = [
  'log-forbidden',
  (_, access) =>
    `${as(access)} may not use the consumer group. Grant it Read and Describe on the group`,
];
const DENIED_CLUSTER: Meaning = [
  'log-forbidden',
  (_, access) =>
    `${as(access)} is not allowed to. To create topics: grant it Create on the topics or on the cluster, or create the topics beforehand. To append, on brokers before 2.8: grant it IdempotentWrite on the cluster`,
];
const UNAUTHENTICATED: Meaning = [
  'log-forbidden',
  (_, access) =>
    access.user === undefined
      ? 'the brokers require SASL. Set kafka.sasl'
      : `the brokers refuse ${as(access)} with ${access.mechanism?.toUpperCase()}. Check kafka.sasl: mechanism, user name and password`,
];
const MOVED: Meaning = [
  'log-partition-lost',
  always(
    'another member of the group has the partition, or will have it. It is read on from the stored offset once it is assigned to this one again',
  ),
];
const REPLICAS: Meaning = [
  'log-unavailable',
  always(
    'the partition has fewer in-sync replicas than min.insync.replicas. Start the brokers that are down, then try again',
  ),
];
const TOPIC_UNKNOWN: Meaning = [
  'log-topic-unknown',
  always(
    'the brokers have no such topic or partition. Start a service that creates it, or create it as docs/kafka.md says',
  ),
];

/** By the protocol's error, in the client's spelling. */
const BY_TYPE = new Map<string, Meaning>(
  Object.entries<Meaning>({
    TOPIC_AUTHORIZATION_FAILED: DENIED,
    GROUP_AUTHORIZATION_FAILED: DENIED_GROUP,
    CLUSTER_AUTHORIZATION_FAILED: DENIED_CLUSTER,
    SASL_AUTHENTICATION_FAILED: UNAUTHENTICATED,
    UNSUPPORTED_SASL_MECHANISM: UNAUTHENTICATED,
    POLICY_VIOLATION: [
      'log-forbidden',
      always(
        'the cluster has a policy against it. Ask whoever runs it, or create the topics there beforehand',
      ),
    ],
    MESSAGE_TOO_LARGE: [
      'log-record-refused',
      always(
        'the batch is larger than the brokers allow. Raise max.message.bytes of the topic, or send less',
      ),
    ],
    RECORD_LIST_TOO_LARGE: [
      'log-record-refused',
      always('the batch is larger than a segment of the topic. Raise segment.bytes, or send less'),
    ],
    INVALID_RECORD: [
      'log-record-refused',
      always(
        'the brokers refuse a record as invalid. Look for its topic and key in the log of the broker',
      ),
    ],
    INVALID_TIMESTAMP: [
      'log-record-refused',
      always('the brokers refuse the timestamp of a record. Correct the clock of its producer'),
    ],
    UNKNOWN_TOPIC_OR_PARTITION: TOPIC_UNKNOWN,
    INVALID_TOPIC_EXCEPTION: TOPIC_UNKNOWN,
    OFFSET_OUT_OF_RANGE: [
      'log-position-lost',
      always(
        'the offset is not in the log any more, or not yet. Read the topic again from its first offset',
      ),
    ],
    ILLEGAL_GENERATION: MOVED,
    UNKNOWN_MEMBER_ID: MOVED,
    FENCED_INSTANCE_ID: MOVED,
    REBALANCE_IN_PROGRESS: MOVED,
    NOT_ENOUGH_REPLICAS: REPLICAS,
    NOT_ENOUGH_REPLICAS_AFTER_APPEND: REPLICAS,
    INVALID_REPLICATION_FACTOR: [
      'log-unavailable',
      always(
        'there are fewer brokers than replicas. Start more brokers, or lower kafka.replicationFactor',
      ),
    ],
    INVALID_CONFIG: [
      'config-invalid',
      always(
        'the brokers refuse its settings. Compare them with the settings that this version of Kafka has',
      ),
    ],
    KAFKA_STORAGE_ERROR: [
      'log-unavailable',
      always('a broker cannot use its disk. Check the disk, then try again'),
    ],
  }),
);

const where = ({ broker }: Known, { brokers }: KafkaAccess): string => broker ?? brokers.join(', ');
const missing = ({ tls, user }: KafkaAccess): string =>
  `${tls ? 'no TLS' : 'TLS (kafka.tls)'}${user === undefined ? ' or SASL (kafka.sasl)' : ''}`;
const BY_NAME = new Map<string, Meaning>(
  Object.entries<Meaning>({
    KafkaJSSASLAuthenticationError: UNAUTHENTICATED,
    KafkaJSConnectionClosedError: [
      'log-unavailable',
      (error, access) =>
        `${where(error, access)} closed the connection. Try again; if it always does, it may require ${missing(access)}`,
    ],
    KafkaJSRequestTimeoutError: [
      'log-unavailable',
      (error, access) =>
        `${where(error, access)} did not answer in time. Try again; if it never does, check the broker`,
    ],
  }),
);

const BY_TLS: Meaning = [
  'log-unavailable',
  (error, access) =>
    `no TLS with ${where(error, access)} (${error.code}). Check kafka.tls: the certificate of the authority, that of this client where the brokers require one, and that this port speaks TLS`,
];
const BY_SOCKET: Meaning = [
  'log-unavailable',
  (error, access) =>
    `no connection to ${where(error, access)} (${error.code}). Try again; check kafka.brokers, and that the brokers run${access.tls ? ' and speak TLS there' : ''}`,
];

function meaningOf(error: Known): Meaning | undefined {
  const named = (error.type && BY_TYPE.get(error.type)) || (error.name && BY_NAME.get(error.name));
  if (named) return named;
  if (typeof error.code !== 'string') return undefined;
  return tlsTrouble(error.code) !== undefined ? BY_TLS : BY_SOCKET;
}

/** The error, what it was made from, and what it gathers: the outermost first. */
function* causesOf(error: unknown, seen = new Set<unknown>()): Generator<Known> {
  if (typeof error !== 'object' || error === null || seen.has(error)) return;
  seen.add(error);
  yield error;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  yield* causesOf(cause, seen);
  if (Array.isArray(errors)) for (const one of errors) yield* causesOf(one, seen);
}

/**
 * The Failure that an error of kafkajs means, by its type, name or code; what is not known is
 * `log-unavailable`, since it may have happened after all. A Failure stays as it is. `what` begins
 * the sentence: "Appending to t/0".
 */
export function kafkaFailure(error: unknown, what: string, access: KafkaAccess): Failure {
  if (error instanceof Failure) return error;
  for (const cause of causesOf(error)) {
    if (cause instanceof Failure) return cause;
    const [code, sentence] = meaningOf(cause) ?? [];
    if (code)
      return new Failure(code, `${what} failed: ${sentence?.(cause, access)}.`, { cause: error });
  }
  const root = [...causesOf(error)].at(-1);
  return new Failure(
    'log-unavailable',
    `${what} failed: ${root?.type ?? messageOf(root ?? error)} (${access.brokers.join(', ')}). Try again.`,
    { cause: error },
  );
}

/**
 * Whether asking again within seconds cannot help: neither certificates nor the number of brokers
 * change so fast.
 */
export const isHopeless = (error: unknown): boolean =>
  [...causesOf(error)].some(
    ({ code, type }) =>
      (typeof code === 'string' && tlsTrouble(code) !== undefined) ||
      type === 'INVALID_REPLICATION_FACTOR',
  );

/** Whether a group's coordinator was not found; the client does not report why. */
export const needsCoordinator = (error: unknown): boolean =>
  [...causesOf(error)].some(({ name }) => name === 'KafkaJSGroupCoordinatorNotFound');
