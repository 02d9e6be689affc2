import { CHANNELS } from '@ovn-steward/contracts/asyncapi';
import { KAFKA_RIGHTS } from '@ovn-steward/shared/log/kafka-rights';
import type { TopicSpec } from '@ovn-steward/shared/log/log';
import { TOPICS } from '@ovn-steward/shared/log/topics';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** @throws Error for what is no whole number of them: the table would round. */
function whole(value: number, unit: number): number {
  if (value % unit !== 0) throw new Error(`${value} is not a whole number of ${unit}`);
  return value / unit;
}

const days = (ms: number): string => `${whole(ms, DAY_MS)} ${ms === DAY_MS ? 'day' : 'days'}`;

const kept = (spec: TopicSpec): string =>
  spec.cleanup === 'compact'
    ? `the last record of each key; everything for ${days(spec.minCompactionLagMs)}; a tombstone for ${days(spec.deleteRetentionMs)} more`
    : `everything for ${days(spec.retentionMs)}`;

/** What each topic is and keeps, for docs/kafka.md. */
export const topicsTable = (): string =>
  [
    '| Topic | What it holds | Key | Kept | Largest batch |',
    '|---|---|---|---|---|',
    ...TOPICS.map((topic) => {
      const { title, key } = CHANNELS[topic.name]!;
      return `| \`${topic.name}\` | ${title} | ${key.replace(/\.$/, '')} | ${kept(topic)} | ${whole(topic.maxMessageBytes, MIB)} MiB |`;
    }),
  ].join('\n');

/** The settings of each topic by their names in Kafka, for those who make the topics themselves. */
export const topicSettingsTable = (): string => {
  const names = [
    'cleanup.policy',
    'min.compaction.lag.ms',
    'max.compaction.lag.ms',
    'delete.retention.ms',
    'retention.ms',
    'max.message.bytes',
  ];
  const cells = (topicSpec: TopicSpec): readonly (string | number)[] =>
    topicSpec.cleanup === 'compact'
      ? [
          topicSpec.cleanup,
          topicSpec.minCompactionLagMs,
          topicSpec.maxCompactionLagMs,
          topicSpec.deleteRetentionMs,
          '',
          topicSpec.maxMessageBytes,
        ]
      : [topicSpec.cleanup, '', '', '', topicSpec.retentionMs, topicSpec.maxMessageBytes];
  return [
    `| Topic | ${names.map((it) => `\`${it}\``).join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    ...TOPICS.map((it) => `| \`${it.name}\` | ${cells(it).join(' | ')} |`),
  ].join('\n');
};

/** The headers of each sort of record, for docs/kafka.md. */
export const headersTable = (): string =>
  [
    '| Topic | Record | Headers |',
    '|---|---|---|',
    ...TOPICS.flatMap(({ name }) =>
      Object.values(CHANNELS[name]!.messages).map(
        ({ title, headers = {}, always = [] }) =>
          `| \`${name}\` | ${title} | ${Object.entries(headers)
            .map(
              ([header, says]) =>
                `\`${header}\`${always.includes(header) ? '' : ' (not always)'}: ${says}`,
            )
            .join('; ')} |`,
      ),
    ),
  ].join('\n');

/** Who may do what on the brokers, for docs/kafka.md. */
export const rightsTable = (): string =>
  [
    '| Principal | Resource | Name | Operations | What for |',
    '|---|---|---|---|---|',
    ...KAFKA_RIGHTS.map(
      ({ principal, resource, prefix, name, operations, why }) =>
        `| ${principal} | ${resource}${prefix ? ' prefix' : ''} | \`${name}\` | ${operations.join(', ')} | ${why} |`,
    ),
  ].join('\n');
