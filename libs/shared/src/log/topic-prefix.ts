import type { Log, LogBatch } from './log';

/** What the topics' names begin with where nothing else is set, and in all of our code. */
export const OUR_PREFIX = 'steward.';

/**
 * What Kafka takes for a name (Topic.java, `legalChars`, 249 characters), with room for ours; ends
 * in a separator, so that none begins another by accident.
 */
export const LEGAL_PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]*[._-]$/;
const LONGEST = 128;

/** Why it cannot be a prefix of topics; undefined when it can. A clause for a person. */
export function prefixRefusal(prefix: string): string | undefined {
  if (prefix.length > LONGEST) return `longer than ${LONGEST} characters`;
  return LEGAL_PREFIX.test(prefix)
    ? undefined
    : 'not a prefix of topics: letters, digits, ".", "_" and "-", beginning with a letter or digit and ending in ".", "_" or "-", such as steward. or east.steward.';
}

/**
 * The name of a group or client beside the topics of that prefix: clusters that are kept apart
 * share no group either, and one right on the prefix covers its topics and its groups. Names stay
 * as they are with the prefix that is ours.
 */
export const prefixed = (prefix: string, name: string): string =>
  prefix === OUR_PREFIX ? name : `${prefix}${name}`;

/**
 * The log under another prefix: `steward.changes.v1` is `<prefix>changes.v1` in it, and a group is
 * `<prefix><group>`. The caller goes on with our names, also in what is kept in records, such as
 * dead letters.
 */
export function withTopicPrefix(log: Log, prefix: string): Log {
  if (prefix === OUR_PREFIX) return log;
  const there = (topic: string): string =>
    topic.startsWith(OUR_PREFIX) ? `${prefix}${topic.slice(OUR_PREFIX.length)}` : topic;
  const here = (topic: string): string =>
    topic.startsWith(prefix) ? `${OUR_PREFIX}${topic.slice(prefix.length)}` : topic;
  const batchHere = (batch: LogBatch): LogBatch => ({ ...batch, topic: here(batch.topic) });
  return {
    ensureTopics: (specs) => log.ensureTopics(specs.map((it) => ({ ...it, name: there(it.name) }))),
    append: (topic, partition, records) => log.append(there(topic), partition, records),
    read: async (topic, partition, from, max) =>
      batchHere(await log.read(there(topic), partition, from, max)),
    consume: ({ group, topics, resumeAt, onRevoked, onBatch, ...rest }) =>
      log.consume({
        ...rest,
        group: prefixed(prefix, group),
        topics: topics.map(there),
        resumeAt: (topic, partition) => resumeAt(here(topic), partition),
        onBatch: (batch) => onBatch(batchHere(batch)),
        ...(onRevoked && {
          onRevoked: (topic: string, partition: number) => onRevoked(here(topic), partition),
        }),
      }),
    commit: (group, positions) =>
      log.commit(
        prefixed(prefix, group),
        positions.map((it) => ({ ...it, topic: there(it.topic) })),
      ),
    committed: async (group) =>
      (await log.committed(prefixed(prefix, group))).map((position) => ({
        ...position,
        topic: here(position.topic),
      })),
    watermarks: (topic, partition) => log.watermarks(there(topic), partition),
    close: () => log.close(),
  };
}
