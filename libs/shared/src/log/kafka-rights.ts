import { ACTIONS, CHANGES, CONTROL, DEAD_LETTER, FINDINGS, STATUS } from './topics';
import { OUR_PREFIX, prefixed } from './topic-prefix';

/**
 * What an ACL of Kafka may allow (AclOperation.java), by the words of its documentation; those we
 * need.
 */
export type KafkaOperation = 'Create' | 'Describe' | 'DescribeConfigs' | 'Read' | 'Write';

/** One right of one principal on the brokers. Read and Write imply Describe. */
export interface KafkaRight {
  /** A service, a user of the command line or a subscriber. */
  readonly principal: string;
  readonly resource: 'topic' | 'group';
  readonly name: string;
  /** Whether it is for everything whose name begins with it (resource pattern type `prefixed`). */
  readonly prefix: boolean;
  readonly operations: readonly KafkaOperation[];
  /** Markdown. */
  readonly why: string;
}

const right =
  (principal: string) =>
  (
    resource: KafkaRight['resource'],
    name: string,
    operations: readonly KafkaOperation[],
    why: string,
  ): KafkaRight => ({ principal, resource, name, prefix: false, operations, why });

const onPrefix = (it: KafkaRight): KafkaRight => ({ ...it, prefix: true });

const MAKES: readonly KafkaOperation[] = ['Describe', 'DescribeConfigs', 'Create'];
const collector = right('collector');
const analyzer = right('analyzer');
const executor = right('executor');
const notifier = right('notifier');
const approver = right('approver');
const operator = right('operator');
const subscriber = right('subscriber');

/**
 * Who may do what on the brokers: all that each needs, and no more. `e2e/rights.int.test.ts` grants
 * the same, as docs/kafka.md shows it, and nothing else. With another prefix of topics:
 * `rightUnder`.
 */
export const KAFKA_RIGHTS: readonly KafkaRight[] = [
  onPrefix(collector('topic', OUR_PREFIX, MAKES, 'to make missing topics, and compare them')),
  collector(
    'topic',
    CHANGES,
    ['Read', 'Write'],
    'to publish; to learn at its start what was published before',
  ),
  collector('topic', DEAD_LETTER, ['Write'], 'what is too large'),
  onPrefix(analyzer('topic', OUR_PREFIX, MAKES, 'as above')),
  analyzer('topic', CHANGES, ['Read'], 'to judge'),
  analyzer('topic', FINDINGS, ['Read', 'Write'], 'to publish; to take up what was found before'),
  analyzer('topic', STATUS, ['Write'], 'to say how far sources are known'),
  analyzer('topic', CONTROL, ['Read'], 'to read suppressions'),
  analyzer('topic', DEAD_LETTER, ['Write'], 'what cannot be read'),
  analyzer('group', 'steward-analyzer', ['Read'], 'to share the partitions'),
  onPrefix(executor('topic', OUR_PREFIX, MAKES, 'as above')),
  executor('topic', FINDINGS, ['Read'], 'to follow'),
  executor(
    'topic',
    CONTROL,
    ['Read', 'Write'],
    'to read decisions; to confirm holds; to publish again a hold that a refused record covers ([signing.md](signing.md))',
  ),
  executor(
    'topic',
    ACTIONS,
    ['Read', 'Write'],
    'its ledger: to write before it acts; to take up what was done before, or by another',
  ),
  executor('topic', DEAD_LETTER, ['Write'], 'what is no finding, no decision or no action'),
  onPrefix(
    executor(
      'group',
      'steward-executor',
      ['Read'],
      'to share the partitions; `steward-executor-<cluster>` when it acts for one cluster',
    ),
  ),
  onPrefix(notifier('topic', OUR_PREFIX, MAKES, 'as above')),
  notifier('topic', FINDINGS, ['Read'], 'to follow'),
  notifier('topic', ACTIONS, ['Read'], 'to follow, for sinks that are sent actions'),
  onPrefix(
    notifier(
      'group',
      'steward-notifier',
      ['Read'],
      'to have the partitions; `steward-notifier-actions` for the actions',
    ),
  ),
  onPrefix(
    approver(
      'topic',
      OUR_PREFIX,
      ['Read'],
      '`steward plan`, `steward actions`, `steward holds`: to read; `steward hold`, `steward resume`: to read confirmations',
    ),
  ),
  approver(
    'topic',
    CONTROL,
    ['Write'],
    '`steward approve`, `apply`, `hold`, `resume`, `suppress`, `protect`, `undo`: to decide',
  ),
  onPrefix(operator('topic', OUR_PREFIX, ['Read'], '`steward dead-letters`: to read')),
  operator(
    'topic',
    CHANGES,
    ['Write'],
    '`steward dead-letters replay`, `steward heal`: to send again, to make known again',
  ),
  operator('topic', FINDINGS, ['Write'], '`steward dead-letters replay`: to send again'),
  operator('topic', DEAD_LETTER, ['Write'], 'to note what was replayed'),
  subscriber('topic', FINDINGS, ['Read'], 'to follow'),
  subscriber('topic', STATUS, ['Read'], 'to distinguish an empty list from an unknown one'),
  onPrefix(subscriber('group', 'my-tool', ['Read'], 'a group of its own')),
];

/** The same right for services whose `kafka.topicPrefix` is this one. */
export const rightUnder = (prefix: string, unprefixed: KafkaRight): KafkaRight => ({
  ...unprefixed,
  name:
    unprefixed.resource === 'topic'
      ? `${prefix}${unprefixed.name.slice(OUR_PREFIX.length)}`
      : prefixed(prefix, unprefixed.name),
});
